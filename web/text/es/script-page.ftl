# What every page may show.

script-page-copied = Copiado
script-page-no-connection = no hay conexión; vuelve a cargar la página cuando la haya
script-page-not-sent = No hay conexión: no se envió nada. Lo que escribiste se queda aquí; envíalo otra vez cuando vuelva la conexión.
script-page-answers = { $address } responde { $status }
script-page-no-worker = no se pudo iniciar un worker
script-page-game-not-shown = Esta partida no se puede mostrar.
script-page-rules-not-loaded = No se pudieron cargar las reglas: { $why }.
script-page-you = Tú
script-page-failure-bad-request = las reglas de esta página no entienden a la página
script-page-failure-too-long = esto es más largo de lo que admiten las reglas de esta página
script-page-failure-unknown-game = las reglas de esta página no conocen el juego o sus opciones
script-page-failure-illegal-move = esto no es legal
script-page-failure-not-a-record = esto no es el registro de una partida
script-page-failure-differs = las reglas no coinciden con el registro
script-page-failure-bot-failed = el bot no responde: su código falló o gastó su combustible
script-page-bot-other-bytes = los bytes de un bot no tienen el hash que dice el registro
script-page-language = es
