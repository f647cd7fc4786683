"""An agent's memory over the Model Context Protocol: seven tools, over HTTP inside the site and over stdio."""
