"""Conversations and messages for programs: the chat's own services behind the REST API's edge."""
