# Rooms, lessons and practice.

script-rooms-close-message = Cerrar el mensaje
script-rooms-cells-will-die = { $count ->
        [one] { $cells } morirá: tiene menos de dos vecinas o más de tres.
       *[other] { $cells } morirán: cada una tiene menos de dos vecinas o más de tres.
    }
script-rooms-last-home-cell-dies = Tu última célula en casa morirá: todo lo que no sea tu casa se te cerrará.
script-rooms-now-open = Ahora abierto para ti: { $zones }.
script-rooms-closed-again = Cerrado otra vez: { $zones }. Ha muerto un eslabón de tu cadena.
script-rooms-no-home-cells = Ya no te queda ninguna célula en casa: solo tu casa está abierta.
script-rooms-anchor-at-risk = Tu ancla corre peligro: las células en casa mantienen abierto lo demás, y quedan pocas.
script-rooms-ready-now = Ya lista: { $tool }. Ocupa un turno entero.
script-rooms-end-by-score-twice = Tras la última ronda gana el tanteo más alto. Las células en la casa enemiga cuentan doble: { $own-cells } y { $other-cells } células hacen { $own-points } y { $other-points } puntos.
script-rooms-end-by-score = Tras la última ronda gana el tanteo más alto.
script-rooms-end-by-extinction = Quien se queda sin células vivas pierde en el acto, sea cual sea el tanteo.
script-rooms-end-by-mutual-extinction = Ambos perdieron sus últimas células en la misma generación: la partida es un empate.
script-rooms-end-by-stalemate = Si quien tiene que mover no tiene ninguna jugada legal, la partida es un empate.
script-rooms-end-by-move-limit = Se alcanzó el límite de jugadas: la partida es un empate.
script-rooms-not-yet = Todavía no. Deshaz el turno e inténtalo otra vez.
script-rooms-take-back = Deshacer un turno
script-rooms-room-gone = Esta sala ya no existe.
script-rooms-to-lobby = A la sala de espera
script-rooms-reconnecting = Sin conexión: reconectando …
script-rooms-try-now = Probar ahora
script-rooms-position-differs = Estos turnos no llevan a la posición del servidor. Por favor, avisa de esta sala.
script-rooms-turns-refused = Las reglas de esta página rechazan lo que se jugó: { $why }. Recarga la página.
script-rooms-resign-sure = Sí, rendirme
script-rooms-resign = Rendirse
script-rooms-cannot-continue = { $player } no puede seguir en esta página: { $why }.
script-rooms-turn-too-long = un turno tardó más de { $seconds } s; en la arena lo habría terminado el combustible
script-rooms-draw-offered = Tablas ofrecidas
script-rooms-draw-accept = Aceptar las tablas
script-rooms-draw-offer = Ofrecer tablas
script-rooms-offers-draw = { $player } ofrece tablas.
script-rooms-decline = Rechazar
script-rooms-draw-declined = Tu oferta de tablas fue rechazada.
script-rooms-their-next-game = Su siguiente partida
script-rooms-wants-rematch = { $player } quiere la revancha.
script-rooms-rematch-waits = Esperando a que los demás acepten …
script-rooms-another-game = Los jugadores han empezado otra partida.
script-rooms-rematch = Revancha, con los puestos cambiados
script-rooms-no-thanks = No, gracias
script-rooms-a-spectator = alguien que mira
script-rooms-answer = Responder
script-rooms-report = Denunciar
script-rooms-reported = Denunciado
script-rooms-away = { $player } no está.
script-rooms-clocks-stand-still = Por el momento el sitio no acepta turnos. Los relojes están parados hasta que los acepte.
script-rooms-spectators = { $spectators ->
        [one] 1 espectador.
       *[other] { $spectators } espectadores.
    }
script-rooms-may-end = Puedes terminar la partida sin resultado.
script-rooms-may-end-after = Pasados { $minutes } minutos puedes terminar la partida sin resultado.
script-rooms-end-without-result = Terminar la partida sin resultado
script-rooms-not-sent = No hay conexión; esto no se ha enviado. Inténtalo de nuevo en un momento.
script-rooms-sound-off = Sonido: no
script-rooms-sound-on = Sonido: sí
script-rooms-played-elsewhere = Este turno se terminó en otra de tus ventanas; lo que habías colocado en esta se ha perdido.
script-rooms-esc-puts-away = ; Esc la guarda
script-rooms-your-turn = ● Tu turno:{" "}
script-rooms-sending = Enviando tu turno …
script-rooms-to-move = Le toca a { $player } ({ $seat }).
script-rooms-loading = Cargando …
script-rooms-is-thinking = { $player } está pensando …
script-rooms-are-thinking = { $players } están pensando …
script-rooms-use-cells = { $tool } { $cells }.
script-rooms-use-more-cells = { $cells ->
        [one] { $tool } 1 célula más.
       *[other] { $tool } { $cells } células más.
    }
script-rooms-aimed = Objetivo elegido: { $tool }.
script-rooms-you-will = Tu turno: { $tool }.
script-rooms-end-turn-or-undo = Terminar turno{ $end-key } lo envía, Deshacer{ $undo-key } lo deshace.
script-rooms-tool-in-hand = La { $tool } { $purpose }. Elige la casilla; { $button } otra vez{ $key } la guarda.
script-rooms-turn-ready = Tu turno está listo. Terminar turno{ $end-key } lo envía, Deshacer{ $undo-key } quita la última célula.
script-rooms-choose-cell = Tu turno: elige una casilla.
script-rooms-cells-left = Tu turno: quedan { $cells }.
script-rooms-can-only = Tu turno. Solo puedes { $tools }.
script-rooms-use-tool = Tu turno: { $tool } { $cells }.
script-rooms-choose-piece = Tu turno: elige una pieza.
script-rooms-choose-target = Elige adónde va.
script-rooms-choose-again = Elige la misma casilla otra vez para { $tool } ahí, o termina el turno{ $key }.
script-rooms-a-program = { $seat }, un programa
script-rooms-against = {" "}contra{" "}
script-rooms-against-you = ti
script-rooms-you-are = Juegas con { $seat }.
script-rooms-a-draw = Empate
script-rooms-seat-wins = Gana { $seat }
script-rooms-you-win = Has ganado
script-rooms-you-lose = Has perdido
script-rooms-closed-early = esta sala se cerró antes de que empezara la partida
script-rooms-closed = esta partida ha terminado sin resultado, porque había esperado mucho a alguien
