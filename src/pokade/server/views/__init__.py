"""What people see of a table: frames from views, what is kept of them, finished games step by step."""
