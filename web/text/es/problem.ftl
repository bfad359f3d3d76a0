problem-request = ; petición
problem-claim-a-name-or-sign = Elige un nombre o entra
problem-back-to-the-form = Volver al formulario
problem-choose-the-file-again = Lo que escribiste sigue aquí. Elige otra vez el archivo.
problem-still-here-too = Lo que escribiste sigue aquí.
problem-still-here = Lo que escribiste sigue aquí: entra en otra pestaña y envíalo otra vez.
problem-send-again = Enviarlo otra vez
problem-front-page = Portada
