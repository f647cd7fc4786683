"""SIE, the exchange format of Swedish accounting programs: types 1 to 4, read into what they say of a company."""
