script-page-no-connection = no hay conexión
