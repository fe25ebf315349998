"""What builds and checks the repository; nothing here is installed."""
