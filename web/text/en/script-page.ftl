script-page-no-connection = no connection
