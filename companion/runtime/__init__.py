"""What every room asks of the computer: files, time, threads, addresses, room on the disk."""
