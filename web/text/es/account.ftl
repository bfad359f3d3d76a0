account-your-bots = Tus bots
