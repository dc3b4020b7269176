"""What people see and tap: the Flask app and the session of an evening."""
