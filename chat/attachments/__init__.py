"""Pictures and files that go with what a person says: checked, made anew, sealed, shown, and read by the model."""
