"""How people connect: HTTP for coming in and finding tables, WebSockets for playing, limits, and the page."""
