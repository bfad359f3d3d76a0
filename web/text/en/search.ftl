search-search = Search
