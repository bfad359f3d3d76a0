# What is wrong with a tournament's definition. Its English stands in the crates of tournaments and of the service.

definition-too-long = una definición tiene como máximo { $most } bytes y este texto tiene { $given }: ¿es el archivo correcto?
definition-toml = esto no es una definición: { $why }
definition-field = `{ $field }` { $problem }
definition-field-in-line = línea { $line }: `{ $field }` { $problem }
definition-seeds = un sitio ordena a los participantes según se inscriben, o por sorteo: quita `{ $key }` o escribe `seeding = "draw"`; `arena tournament submit` ordena a los que nombra una definición por sus ratings o por su archivo
definition-display = un sitio muestra sus propios nombres de bots: quita `display`
definition-openings = un torneo de un sitio tiene como máximo { $most } bytes de aperturas, no { $given }: quita algunas
definition-game = esta arena no tiene el juego { $game }; tiene { $known }
definition-ruleset = aquí no hay reglas { $ruleset }; esta versión tiene { $known }
definition-options = { $options } no son opciones de las reglas
definition-not-for-standings = las partidas con las opciones { $options } son para estudios y nunca cuentan para una clasificación: elige otras opciones
definition-not-two-seats = el formato { $format } tiene partidas de dos bandos, y estas tienen { $seats }: di `format = "field"` y cuántas partidas (`games`), o elige opciones con dos bandos
definition-two-seats = un campo tiene partidas de más de dos bandos, y estas tienen dos: di `format = "round-robin"` y quita `games`
definition-empty-seats = una partida tiene { $seats } bandos y hay { $entrants } participantes: añade participantes o elige opciones con menos bandos
field-no-name = falta: un torneo tiene uno, como `name = "Copa de primavera"`
field-no-seed = falta: sirve cualquier número entero, como `seed = 1`
field-in-form = tiene un campo propio en el formulario: quítalo de aquí
field-range = va de { $least } a { $most }, no { $given }
field-places = va de 1 a { $most }, el número de participantes, no { $given }
field-no-goal = necesita `top`, con o sin `confidence`, o `within`, o todo ello: ¿qué debe ser seguro para que termine?
field-confidence = va de { $least } a { $most }, con tres decimales como máximo, no { $given }
field-not-one-line = es una línea de { $least } a { $most } caracteres, ninguno de control
field-not-pages = es un múltiplo de { $bytes }, el tamaño de una página
field-format = no puede ser { $given }: no hay tal formato
field-word = es { $one } o { $other }, no { $given }
field-seeding = es "given", "draw" o "rating", no { $given }
field-anchor = es { $form }, con participantes de este torneo, cada uno una vez, y un rating de { $least } a { $most }; un campo no lo tiene
field-both-seedings = y `seeding` se excluyen: quita uno de los dos
field-chain = es para formatos en los que se puede entrar tarde, "swiss" y "ladder": quítalo
field-without-seeding = va con `seeding = "rating"`: escríbelo también o quítalo
field-seeds = { $file }: el archivo no se puede leer o no nombra una sola vez a cada participante
field-tie-breaks = son algunos de { $known }, cada uno una vez, no { $given }
field-other-format = es una clave de `format = { $formats }`, y este es { $format }: quítala
field-entrants = son de { $least } a { $most }, cada uno en su propio [[entrants]]; aquí hay { $given }
field-too-many = son como máximo { $most } en el formato { $format }; aquí hay { $given }
field-name = tiene de 1 a { $most } letras, cifras, puntos, guiones o guiones bajos, no { $given }
field-display = tiene de 1 a { $most } letras de cualquier escritura, cifras, espacios sueltos y puntuación ASCII, no { $given }
field-opening-twice = son distintas: { $given } está dos veces
field-unplayable = no permite jugar así
field-twice = es distinto para cada participante; { $given } está dos veces
field-source = tiene en { $name } exactamente uno de `baseline` (un rival integrado), `gallery` (un bot de la galería) y `file` (un archivo .wasm)
