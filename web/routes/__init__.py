"""What the pages and their JSON answer, address by address."""
