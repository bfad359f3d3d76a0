# What is found by a code, with which each id ends: what games and tournaments call things; and what is stored as a code
# with parts, refusals of modules, hints, and reasons of the arena. The English stands where these are declared.

coded-not-wasm = esto no es un archivo de WebAssembly: no empieza por \0asm
coded-not-version-1 = esto no es WebAssembly de versión 1
coded-feature = una característica que los bots no pueden usar: { $feature }
coded-broken = WebAssembly dañado: «{ $why }»
coded-not-linked = esto es un archivo objeto, todavía sin enlazar
coded-a-library = esto es una biblioteca compartida, que cargaría otro módulo
coded-unknown-import = { $name } no existe aquí; un bot puede importar arena::log (i32, i32) y arena::fuel () -> i64, y nada más
coded-import-type = { $name } se importa con otro tipo; un bot puede importar arena::log (i32, i32) y arena::fuel () -> i64, y nada más
coded-import-kind = { $name } es una función; un bot puede importar arena::log (i32, i32) y arena::fuel () -> i64, y nada más
coded-has-start = exporta `_start`: es un programa que se ejecuta una vez, y a un bot se le llama en cada turno
coded-has-constructors = exporta `__wasm_call_ctors`, que nadie llama: sus constructores no se ejecutarían
coded-is-wrapped = todas sus exportaciones empiezan igual, como las envuelve un enlazador para ejecutar constructores en cada llamada: lo que pone no dura de un turno a otro
coded-export-missing = falta exportar `{ $name }`
coded-other-memory = falta exportar `memory`; hay una memoria con el nombre `{ $name }`
coded-export-type = `{ $name }` se exporta con otro tipo: debe ser (i32) -> { $result }
coded-export-kind = `{ $name }` se exporta y no es una función: debe ser (i32) -> { $result }
coded-initialiser-type = `{ $name }` se exporta y no es una función () -> ()
coded-file-too-large = el archivo tiene { $bytes } bytes; se permiten { $most }
coded-table-too-large = una tabla de { $elements } elementos; se permiten { $most }
coded-memory-too-large = una memoria de { $bytes } bytes al principio; se permiten { $most }
coded-too-many-types = { $count } tipos; se permiten { $most }
coded-too-many-imports = { $count } importaciones; se permiten { $most }
coded-too-many-functions = { $count } funciones; se permiten { $most }
coded-too-many-tables = { $count } tablas; se permiten { $most }
coded-too-many-globals = { $count } variables globales; se permiten { $most }
coded-too-many-element-segments = { $count } segmentos de elementos; se permiten { $most }
coded-too-many-data-segments = { $count } segmentos de datos; se permiten { $most }
coded-too-many-exports = { $count } exportaciones; se permiten { $most }
coded-too-many-custom-sections = { $count } secciones propias; se permiten { $most }
coded-custom-bytes = más de { $most } bytes de secciones propias
coded-function-type = un tipo de función con { $parameters ->
    [one] { $parameters } parámetro
   *[other] { $parameters } parámetros
} y { $results ->
    [one] { $results } resultado
   *[other] { $results } resultados
}; se permiten { $parameters-max } y { $results-max }
coded-body-bytes = una función de { $bytes } bytes; se permiten { $most }
coded-locals = { $locals ->
    [one] { $locals } variable local
   *[other] { $locals } variables locales
} en una función, { $all } hasta aquí, un vector cuenta doble; se permiten { $most } y { $most-in-all }
coded-nesting = bloques anidados a más de { $most } niveles
coded-branch-targets = más de { $most } destinos de tablas de saltos
coded-operands = más de { $most } operandos en la pila
coded-block-values = un bloque con { $values } parámetros y resultados; se permiten { $most }
coded-carried = más de { $most } valores llevados por bloques, saltos y llamadas
coded-compile-weight = código que pesa más de { $most } en una función, o de { $most-in-all } en total
coded-does-not-compile = el módulo no compila: «{ $why }»
coded-compile-seconds = compilar el módulo requiere más de { $seconds } s de procesador
coded-compile-memory = compilar el módulo requiere más de { $mebibytes } MiB de memoria
coded-ends-compiler = el módulo hace terminar al compilador («{ $how }»)
coded-dies = el proceso en el que corre muere cada vez que juega una partida de prueba
coded-component = esto es un componente: da el módulo básico del que se hizo, sin WASI ni su adaptador (cargo build --target wasm32-unknown-unknown, no cargo component ni componentize)
coded-other-version = compila para wasm32 a secas, WebAssembly de versión 1
coded-object = enlázalo: clang sin -c, o wasm-ld --no-entry; los proyectos de `arena new` lo hacen
coded-shared-library = enlázalo como programa propio: sin -shared ni -fPIC, en Emscripten sin SIDE_MODULE ni MAIN_MODULE
coded-go = el entorno de Go necesita WASI o JavaScript, y más de 1 MiB, y ninguna opción lo cambia: TinyGo hace bots, con -target wasm-unknown
coded-bindgen = un crate quiere un navegador (js-sys, web-sys, wasm_js de rand): quítalo y sortea con `seen.rng()`
coded-emscripten = compilado por Emscripten para su JavaScript: -sSTANDALONE_WASM --no-entry lo deja fuera, y también sobran la impresión y las excepciones; el proyecto de C de `arena new` no necesita Emscripten
coded-wasi = compilado para WASI, que aquí no existe: Rust quiere --target wasm32-unknown-unknown, clang --target=wasm32 -nostdlib, Zig -target wasm32-freestanding, Emscripten ni impresión ni archivos; los intérpretes con WASI dentro no pueden jugar
coded-host-in-tinygo = compilado para WASI o para una página web, que aquí no existen: TinyGo quiere -target wasm-unknown
coded-wasm4 = compilado para WASM-4, que es otra consola: conserva tu propio código y parte de `arena new`
coded-moonbit = el println de MoonBit pide un anfitrión que aquí no existe: quítalo, y declara `arena.log` si lo necesitas
coded-bulk-memory = compila con -mbulk-memory, que copia sin biblioteca
coded-imported-memory = la memoria debe ser del propio módulo, exportada como `memory`: quita --import-memory (clang, wasm-ld, Zig) o --importMemory (AssemblyScript)
coded-imported-table = la tabla debe ser del propio módulo: quita --import-table (wasm-ld) o --importTable (AssemblyScript) y enlaza el módulo por completo
coded-imported-global = esto lo pone un cargador que aquí no existe: enlaza el módulo por completo, no como código independiente de la posición
coded-undefined-function = una función con este nombre está declarada, pero no definida: no hay biblioteca de C, y solo se importan arena.log y arena.fuel
coded-forgotten-in-rust = ¿olvidaste `arena_sdk::bot!(Mine);` al final de src/lib.rs? Su crate-type debe tener "cdylib"
coded-forgotten-in-c = ¿olvidaste `ARENA_BOT(turn)` al final del archivo?
coded-forgotten-in-tinygo = exporta las dos funciones con `//go:wasmexport arena_observation` y `//go:wasmexport arena_turn`; el contrato está en el ABI.md de cada proyecto
coded-forgotten = ¿olvidaste lo que exporta el bot? Rust: `arena_sdk::bot!(Mine);`; C: `ARENA_BOT(turn)`; Zig: `comptime {"{"} arena.bot(turn); {"}"}` y -rdynamic; AssemblyScript: `export {"{"} arena_observation, arena_turn {"}"} from "./arena";`; el contrato está en el ABI.md de cada proyecto
coded-no-memory = exporta la memoria como `memory`: clang, wasm-ld y Zig lo hacen si no se importa; texto de WebAssembly: (memory (export "memory") 1)
coded-wrong-type = las direcciones y longitudes tienen 32 bits, la respuesta de arena_turn 64; el contrato está en el ABI.md de cada proyecto
coded-wrong-initialiser = se llama una vez, antes que las funciones del contrato: quítale los parámetros y los resultados, o dale otro nombre
coded-constructors = exporta `_initialize`, que la arena llama una vez, y llama allí a los constructores: en C y C++ escribe `ARENA_CONSTRUCTORS` después de `ARENA_BOT(turn)`; con un SDK de WASI o con zig cc -mexec-model=reactor -Wl,-z,stack-size=65536, con Emscripten -sSTANDALONE_WASM --no-entry; una preparación propia pregunta primero si ya se hizo
coded-constructors-in-rust = llama a `__wasm_call_ctors` una vez, en un `_initialize` tuyo, que la arena llama primero: #[unsafe(no_mangle)] extern "C" fn _initialize(), con unsafe extern "C" {"{"} fn __wasm_call_ctors(); {"}"}; o deja fuera lo que tiene un link_section de .init_array
coded-start = compila una biblioteca: Zig con -fno-entry, clang con -Wl,--no-entry, AssemblyScript con --exportStart _initialize; lo que deba ejecutarse una vez, antes de la primera llamada, se exporta como `_initialize`
coded-start-in-rust = compila una biblioteca: src/lib.rs con crate-type "cdylib", no src/main.rs
coded-start-in-c = compila con -nostdlib -Wl,--no-entry, o con un SDK de WASI o zig cc con -mexec-model=reactor -Wl,-z,stack-size=65536; lo que deba ejecutarse una vez, antes de la primera llamada, se exporta como `_initialize`
coded-start-in-tinygo = compila con -target wasm-unknown, o con -buildmode=c-shared
coded-debug-build = esto se compiló con información de depuración: Rust quiere --release, Zig -O ReleaseFast, C -O2 -g0, AssemblyScript -O3
coded-exceptions = compila sin excepciones: C++ con -fno-exceptions, Rust con panic = "abort"
coded-large = optimiza el tamaño, deja fuera el código que no se usa y las tablas grandes, y quita los nombres: más de 1 MiB de código tarda demasiado en compilarse
coded-native = esto se compiló para un ordenador, no para WebAssembly: con cargo añade --target wasm32-unknown-unknown, con clang --target=wasm32, y da el archivo .wasm
coded-bitcode = esto es bitcode de LLVM (.bc): compílalo y enlázalo, con clang --target=wasm32 -nostdlib -Wl,--no-entry
coded-source = esto es el código fuente de un programa: da el archivo .wasm que produce su compilación, o un script en JavaScript o Python con un nombre que termine en .js o .py (en la API, como text/javascript o text/x-python)
coded-page = esto es una página web, quizá de un error: descarga el archivo mismo
coded-object-library = esto es una biblioteca de archivos objeto: enlázala en un módulo, con clang --target=wasm32 o con cargo
coded-gzip = esto está comprimido (gzip): descomprímelo
coded-bzip2 = esto está comprimido (bzip2): descomprímelo
coded-zstd = esto está comprimido (zstd): descomprímelo
coded-zip = esto es un archivo .zip: da el archivo .wasm que contiene
coded-git-lfs = esto es un puntero de Git LFS, no el archivo: `git lfs pull` lo trae
coded-base64 = esto es base64: descodifícalo (`base64 -d`)
coded-data-uri = esto es un URI data: descodifica como base64 lo que sigue a la coma
coded-hex = esto es texto hexadecimal: conviértelo en bytes (`xxd -r -p`, o `xxd -r` si las líneas llevan números)
coded-java = esto es una clase de Java, cuya máquina no está aquí: el lenguaje más cercano es AssemblyScript
coded-document = esto es un documento: da el archivo .wasm que produce la compilación, o un script como texto simple (.js, .py)
coded-json = esto es JSON: da el archivo .wasm que produce la compilación
coded-empty = el archivo está vacío: vuelve a compilarlo
coded-wasm-text = parece texto de WebAssembly: `arena assemble` hace el módulo, que es lo que se comprueba
coded-exports-all = exporta solo los tres nombres del contrato: quita --export-all (wasm-ld); en Zig, -rdynamic exporta lo que lleva `export`
coded-import-once = importa arena.log y arena.fuel una sola vez
coded-strip = quita la información de depuración: -g0, o `wasm-strip`
coded-more-than-any = deja fuera el código que no se usa; esto es más de lo que cualquier compilador hace de un bot
coded-merge-data = junta los datos: los enlazadores lo hacen con --merge-data-segments
coded-leave-out = quita el código sin usar: ayudan la optimización al enlazar y una sola unidad de generación de código
coded-no-threads = compila sin hilos: quita -pthread y -matomics, en Rust la característica `atomics` y en AssemblyScript --enable threads y --sharedMemory
coded-no-tail-calls = compila sin llamadas de cola: clang -mno-tail-call, Rust sin la característica `tail-call`
coded-no-relaxed-simd = compila sin SIMD relajado, cuyos resultados difieren entre máquinas; el SIMD normal (simd128) puede quedarse
coded-no-references = compila sin tipos de referencia: clang -mno-reference-types, Rust sin wasm-bindgen, AssemblyScript sin externref; solo funcref puede quedarse
coded-no-gc = los compiladores a WebAssembly GC no hacen bots: usa un lenguaje con memoria propia, en MoonBit --target wasm
coded-no-function-references = los compiladores a WebAssembly GC no hacen bots: usa un lenguaje con memoria propia
coded-no-memory64 = compila para wasm32, no para wasm64
coded-one-memory = compila con una sola memoria, y no mezcles módulos (wasm-merge)
coded-no-page-size = quita --page-size: una página tiene 64 KiB
coded-no-extended-const = compila sin extended-const: clang -mno-extended-const, Rust -C target-feature=-extended-const, y no como código independiente de la posición
coded-no-wide-arithmetic = compila sin aritmética ancha: clang -mno-wide-arithmetic, Rust y Zig sin la característica `wide-arithmetic`
coded-no-stack-switching = compila sin cambio de pila: ninguna operación de un bot puede esperar
coded-allowed-features = compila para wasm32 a secas: ABI.md dice qué características pueden usar los bots
coded-no-seed = Math.random pide una semilla y no la hay: usa `any.rng`
coded-no-clock = no hay reloj: cuenta tableros
coded-no-abort = compila con `--use abort=`, como el package.json del proyecto
coded-no-exit = un bot no puede salir: vuelve del turno
coded-no-console = no hay consola: usa `log` de ./arena
coded-for-not-wasm = da el archivo .wasm que produce la compilación, no su código fuente ni un archivo comprimido
coded-for-too-large = compila en modo release, optimiza el tamaño y quita nombres e información de depuración
coded-for-invalid-module = el archivo está dañado o incompleto; compílalo otra vez
coded-for-feature-not-allowed = compila para wasm32 a secas, sin hilos, excepciones, GC ni memoria de 64 bits
coded-for-unknown-import = compila para wasm32-unknown-unknown (sin WASI ni JavaScript); solo se importan arena.log(i32, i32) y arena.fuel() -> i64
coded-for-missing-export = exporta `memory`, `arena_observation` (i32) -> i32 y `arena_turn` (i32) -> i64; ABI.md de cada proyecto tiene el contrato
coded-for-command = compila una biblioteca: lo que deba ejecutarse una vez, antes de la primera llamada, se exporta como `_initialize`
coded-for-memory-too-large = baja la memoria inicial: la pila con -Wl,-z,stack-size=65536 (clang, zig cc) o con --stack 65536 (Zig), --initialMemory y --memoryBase (AssemblyScript), y los arrays grandes
coded-for-table-too-large = baja el mínimo de la tabla
coded-for-too-complex = divide la función o compílala con menos inlining
coded-for-compile-budget = divide las funciones grandes y quita el código sin usar
coded-for-compile-failed = por favor, avisa de este módulo: pasó todas las comprobaciones
coded-for-engine-crash = por favor, avisa de este módulo: ningún bot debería poder hacer eso (SECURITY.md)
coded-export-memory = exporta la memoria como `memory`

coded-forfeit = pierde por falta una partida de prueba contra { $opponent }, con { $seat }, en el turno { $turn }: «{ $detail }» ({ $code })
coded-forfeit-at-start = pierde por falta una partida de prueba contra { $opponent }, con { $seat }, antes del primer turno: «{ $detail }» ({ $code })
coded-forfeit-from-opening = pierde por falta una partida de prueba desde una apertura contra { $opponent }, con { $seat }, en el turno { $turn }: «{ $detail }» ({ $code })
coded-forfeit-from-opening-at-start = pierde por falta una partida de prueba desde una apertura contra { $opponent }, con { $seat }, antes del primer turno: «{ $detail }» ({ $code })
coded-script-at-start = { $place }: el script no arranca: «{ $detail }» ({ $code })
coded-another-game = el bot juega a otro juego: di a cuál con `--game`. Para que juegue también a este, en Rust implementa Bot<{ $module }::Position> y nómbralo en bot!; en otros lenguajes escribe un turno de este juego
coded-start-fuel = haz menos al arrancar; las tablas se pueden hacer al compilar o una a una en los primeros turnos
coded-turn-fuel = busca menos en un turno, o pregunta cuánto combustible queda y para; `arena check` muestra adónde va el combustible
coded-recursion = una recursión agotó la pila: haz una recursión menos profunda o lleva una lista de lo que falta por hacer
coded-addresses = las direcciones son bytes desde el principio de la memoria exportada; las llamadas están en el ABI.md de cada proyecto
coded-action-of-another-game = estos bytes son una acción de { $title }: di a qué juego juega el bot, con `--game { $game }`
coded-actions = los bytes de cada acción están en el ABI.md de cada proyecto; las capas del SDK los escriben
coded-rules = las reglas están en el ABI.md de cada proyecto; en Rust `Position::check` dice qué tiene de malo una acción antes de devolverla
coded-only-people = solo las personas pueden perder así
coded-memory-refused = memory.grow se rechazó en { $most }; el bot pidió { $more } bytes más de los { $had } que tenía: guarda menos a la vez
coded-no-time = no hay reloj, porque los veredictos salen del combustible: cuenta tableros y para al llegar a un número fijo
coded-panic-logged = el panic en el registro del bot dice dónde y por qué
coded-script-logged = el error en el registro del bot dice dónde y por qué; `arena check` muestra el registro
coded-log-full = el registro estaba lleno, así que un panic pudo decir por qué en una línea descartada: escribe menos
coded-silent-panic = un panic o una aserción sin una palabra: escribe antes algo en el registro; `arena check` lo muestra
coded-bad-index = lo más probable, un índice o un puntero fuera de sus límites: escribe antes algo en el registro; `arena check` lo muestra
coded-log-something = escribe antes algo en el registro; `arena check` lo muestra

coded-copy = es igual a un bot que se envió antes y que se inscribe él mismo
coded-bot-gone = el bot o su cuenta se borró o se desactivó, o su nombre está ocupado
coded-no-round-left = el torneo terminó antes de su primera ronda
coded-organiser-gone = la cuenta de quien lo organiza se borró o se desactivó
coded-opponent-gone = esta versión no tiene el rival { $name }
coded-too-few-entrants = la inscripción se cerró con { $entrants ->
    [one] { $entrants } participante
   *[other] { $entrants } participantes
}; hacen falta { $least }
coded-cannot-begin = no puede empezar: «{ $why }»
coded-cannot-be-played = no se puede jugar: «{ $why }»

coded-rule-conquerors-1 = Un turno son cuatro células de tu color, una bomba o, una vez por partida, un salto. Después de cada turno el tablero avanza una generación según las reglas de Conway: con dos o tres vecinas vivas una célula sigue viva, y tres dan vida a una casilla vacía, del color que tenga la mayoría de ellas.
coded-rule-conquerors-2 = En tu casa siempre puedes colocar. La zona neutral se abre con una célula tuya en tu casa; la casa enemiga, con células tuyas en tu casa, en la zona neutral y en la casa enemiga.
coded-rule-conquerors-3 = Desde la ronda 7 una bomba despeja tres por tres casillas de ambos colores. Ocupa un turno entero, y puedes usarla en uno de cada dos turnos tuyos.
coded-rule-conquerors-4 = Quien se queda sin células pierde. Al cabo de doce rondas gana el tanteo más alto; las células en la casa enemiga cuentan doble.
coded-rule-conquerors-5 = Con las reglas V1 basta con células tuyas en la zona neutral y en la casa enemiga para abrir la casa enemiga, y todas las células cuentan una vez. Se pueden elegir para una sala, y valen en las partidas contra los rivales de las versiones 5.4 y 5.5.
coded-rule-war-of-life-1 = Cada color empieza con doce piezas en un tablero de 8 × 8. Un turno mueve una de tus piezas a una casilla vacía contigua, en cualquiera de las ocho direcciones; después el tablero avanza una generación según las reglas de Conway: con dos o tres vecinas de cualquier color una pieza sigue viva, y tres dan vida a una casilla vacía, del color que tenga la mayoría de ellas.
coded-rule-war-of-life-2 = Quien se queda sin piezas pierde. Si ambos pierden a la vez sus últimas piezas, si a quien le toca no le queda jugada, o tras 250 jugadas, la partida es un empate.
coded-rule-game-of-game-of-life-1 = De dos a dieciséis colores empiezan con un bloque de cuatro células cada uno, en un tablero sin bordes. En cada turno cada uno nombra una casilla o pasa: una célula propia muere; una casilla muerta a dos casillas o menos de una propia cobra vida. Todo ocurre a la vez. Después el tablero avanza una generación según las reglas de Conway; una célula nace del color que tenga la mayoría de sus tres vecinas.
coded-rule-game-of-game-of-life-2 = Una casilla que varios nombran a la vez, o que nace de tres colores, es negra: vive como las demás, pero no es de nadie. Un lugar sin jugador empieza con un bloque negro.
coded-rule-game-of-game-of-life-3 = Gana el último color que quede en el tablero; tras 1000 generaciones, el que tenga más células.
coded-rule-life2-1 = De dos a nueve reinos en un tablero de 512 por 512 casillas sin bordes. Cada uno empieza con una base de ocho por ocho casillas, cuyo interior es su terreno, y con monedas. En cada turno un reino puede dar vida a un máximo de 60 casillas de su terreno, por una moneda cada una, que va a su base. Después el mundo avanza 30 generaciones según las reglas de Conway.
coded-rule-life2-2 = Donde nace una célula, el terreno pasa a ser del reino al que pertenece la mayoría de sus tres vecinas, y lo sigue siendo cuando la célula muere. El terreno que un enemigo separa de su base pasa a ser neutral, y sus células mueren.
coded-rule-life2-3 = En una base nunca nace un enemigo. Cada nacimiento que rechaza le cuesta una moneda, que se lleva el atacante. Una base sin monedas cae: su reino queda fuera y su terreno no es de nadie.
coded-rule-life2-4 = Cada 3000 generaciones, dos veces por partida, muere todo lo que vive en uno de los dieciséis cuadrantes: primero en el de arriba a la izquierda, luego en el que está a su derecha. El terreno queda. Nadie cae por no tener ninguna célula viva.
coded-rule-life2-5 = Al cabo de 6000 generaciones gana el reino con más terreno; con el mismo terreno, el que tenga más células vivas.
coded-about-conquerors-easy = toma buenas células, pero sin mucho cuidado
coded-about-conquerors-normal = toma las mejores células una tras otra
coded-about-conquerors-hard = planea juntas sus cuatro células, una generación por delante
coded-about-war-of-life-random = mueve cualquier pieza a cualquier sitio
coded-about-war-of-life-bloodlust = te deja tan pocas piezas como puede
coded-about-war-of-life-self-preservation = conserva tantas piezas propias como puede
coded-about-war-of-life-land-grab = quiere la mayor ventaja en piezas sobre ti
coded-about-war-of-life-minimax = mira tu mejor respuesta antes de mover
coded-about-game-of-game-of-life-nothing = pasa, y vive de su primer bloque
coded-about-game-of-game-of-life-random = cambia cualquier célula, casi siempre una fuera de su alcance
coded-about-game-of-game-of-life-greedy = toma la célula tras la que más tiene
coded-about-game-of-game-of-life-safety = salva primero sus células solitarias y luego daña al más fuerte
coded-about-game-of-game-of-life-planner = mira algunas generaciones por delante, las suyas y las de todos
coded-about-life2-idle = se queda en su base
coded-about-life2-expander = envía planeadores hacia fuera, por terreno
coded-about-life2-besieger = envía planeadores a la base más cercana
coded-room-kind-v2 = reglas V2
coded-room-kind-v1 = reglas V1 (versiones 5.4 y 5.5)
coded-room-kind-deal = reparto
coded-room-kind-pictured = salida de la imagen
coded-room-kind-cross = salida en cruz
coded-room-kind-checkers = salida en damero
coded-room-kind-gliders = salida con dos planeadores
coded-tool-place = colocar
coded-tool-bomb = bomba
coded-tool-skip = saltar
coded-tool-pass = pasar
coded-tool-move = mover
coded-tool-cell = célula
coded-column-score = tanteo
coded-column-rank = puestos
coded-column-games = partidas
coded-column-firsts = primero
coded-column-cage = jaula
coded-column-forfeits = faltas
coded-column-match-points = encuentros
coded-column-byes = descansos
coded-column-reached = ronda alcanzada
coded-column-buchholz = Buchholz
coded-column-sonneborn-berger = S.-B.
coded-column-head-to-head = duelo directo
coded-column-rating = rating
coded-column-wins = ganadas
coded-column-draws = empatadas
coded-column-losses = perdidas
coded-column-points = puntos
coded-seat-blue = azul
coded-seat-red = rojo
coded-column-strength = fuerza
coded-deed-place = coloca { $cells }
coded-deed-bomb = bombardea el cuadrado alrededor de { $cells }
coded-deed-cell = juega { $cells }
coded-deed-move = mueve { $from } a { $to }
coded-deed-skip = salta
coded-deed-nothing-possible = no puede hacer nada
coded-deed-pass = pasa
