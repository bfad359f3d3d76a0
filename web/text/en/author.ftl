author-bots-of-this-author-and-how = Bots of this author, and how they stand in the latest edition of their game.
author-since = Since
author-version = version { $active }
author-no-version = no version
