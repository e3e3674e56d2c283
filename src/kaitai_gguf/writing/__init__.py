"""Write and edit files: values, writers, editors, and how bytes reach the disk."""
