author-bots-of-this-author-and-how = Los bots de este autor y su puesto en la última edición de su juego.
author-since = Desde
author-version = versión { $active }
author-no-version = ninguna versión
