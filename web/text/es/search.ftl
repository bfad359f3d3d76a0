search-search = Buscar
