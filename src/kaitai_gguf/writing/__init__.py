"""New files and changed ones: values, writers, editors, and how bytes reach the disk."""
