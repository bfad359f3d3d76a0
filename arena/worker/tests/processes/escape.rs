//! A worker that has broken out of the engine. Within the walls named by its first argument it tries what native code
//! could try, and prints a line for each attempt: what it was, whether it was stopped, and by what.
//!
//! With `wait` as its second argument it only waits forever within the walls; with `parent` it starts itself with
//! `wait` and waits, too.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn main() {
    linux::main();
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn main() {}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
#[expect(clippy::print_stdout, reason = "its report")]
mod linux {
    use std::fs::{self, File};
    use std::io::{self, Write};
    use std::net::{TcpListener, UdpSocket};
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::{CommandExt, parent_id};
    use std::process::Command;
    use std::{env, ptr, thread};

    use arena_worker::Walls;
    use arena_worker::walls::{self, WorkerWall};
    use libc::c_long;

    /// The descriptor that the test leaves open.
    const INHERITED: i32 = 9;

    pub(crate) fn main() {
        let mut arguments = env::args().skip(1);
        let named = arguments.next().unwrap_or_default();
        match arguments.next().as_deref() {
            None => escape(&named),
            Some("wait") => {
                raised(&named);
                wait();
            }
            Some(_) => {
                let _child = Command::new("/proc/self/exe").args([&named, "wait"]).env_clear().spawn();
                wait();
            }
        }
    }

    fn wait() {
        println!("waiting");
        loop {
            thread::park();
        }
    }

    /// Raises the walls as a worker does.
    fn raised(named: &str) -> Walls {
        let which: Vec<WorkerWall> =
            WorkerWall::ALL.into_iter().filter(|wall| named.split(',').any(|name| name == wall.to_string())).collect();
        walls::raise(&which)
    }

    fn escape(named: &str) {
        let walls = raised(named);
        println!("{walls}");
        for (attempt, run) in ATTEMPTS {
            match run() {
                Ok(()) => println!("{attempt}\tsucceeded\t-"),
                Err(error) => println!("{attempt}\t{}\t{error}", stopped_by(&walls, &error)),
            }
            // An attempt that succeeds may be the last thing this process does.
            let _ = io::stdout().flush();
        }
    }

    /// The wall that an error comes from. Each wall has its own errors; calls that seccomp forbids never reach another
    /// wall.
    fn stopped_by(walls: &Walls, error: &io::Error) -> &'static str {
        let holds = |wall| walls.holding.contains(&wall);
        match error.raw_os_error() {
            Some(libc::EPERM) if holds(WorkerWall::Seccomp) => "seccomp",
            Some(libc::EACCES) if holds(WorkerWall::Landlock) => "landlock",
            Some(libc::EBADF) if holds(WorkerWall::Descriptors) => "descriptors",
            Some(libc::EAGAIN | libc::EMFILE | libc::EFBIG) if holds(WorkerWall::Limits) => "limits",
            Some(libc::EPERM) if holds(WorkerWall::Landlock) && holds(WorkerWall::User) => "landlock or user",
            Some(libc::EPERM) if holds(WorkerWall::Landlock) => "landlock",
            Some(libc::EPERM) if holds(WorkerWall::User) => "user",
            _ => "no wall",
        }
    }

    type Attempt = fn() -> io::Result<()>;

    const ATTEMPTS: [(&str, Attempt); 27] = [
        ("read an inherited descriptor", inherited),
        ("open a file", || File::open("/etc/passwd").map(drop)),
        ("list a folder", || fs::read_dir("/").map(drop)),
        ("read the environment", || fs::read("/proc/self/environ").map(drop)),
        ("write a file", || {
            let path = format!("/tmp/arena-escape-{}", std::process::id());
            fs::write(&path, "out").and_then(|()| fs::remove_file(&path))
        }),
        ("make a file of memory", || call(libc::SYS_memfd_create, [c"x".as_ptr() as usize, 0, 0, 0, 0, 0])),
        ("open a socket for TCP", || TcpListener::bind("127.0.0.1:0").map(drop)),
        ("open a socket for UDP", || UdpSocket::bind("127.0.0.1:0").map(drop)),
        ("open a pair of sockets", || UnixStream::pair().map(drop)),
        ("fork", fork),
        ("start a thread", || thread::Builder::new().spawn(|| ()).map(drop)),
        ("start a process with clone3", || {
            let arguments = [0_u64; 8];
            call(libc::SYS_clone3, [arguments.as_ptr() as usize, size_of_val(&arguments), 0, 0, 0, 0])
        }),
        ("start a program", || Command::new("/bin/true").status().map(drop)),
        ("signal the parent", || call(libc::SYS_kill, [parent(), libc::SIGCONT as usize, 0, 0, 0, 0])),
        ("signal everybody", || call(libc::SYS_kill, [usize::MAX, 0, 0, 0, 0, 0])),
        ("trace the parent", || call(libc::SYS_ptrace, [libc::PTRACE_SEIZE as usize, parent(), 0, 0, 0, 0])),
        ("read the parent's memory", read_the_parent),
        ("limit the parent", || {
            let none = [u64::MAX; 2];
            let core = libc::RLIMIT_CORE as usize;
            call(libc::SYS_prlimit64, [parent(), core, 0, none.as_ptr() as usize, 0, 0])
        }),
        ("lift its own limits", || {
            let more = [u64::MAX; 2];
            call(libc::SYS_prlimit64, [0, libc::RLIMIT_AS as usize, more.as_ptr() as usize, 0, 0, 0])
        }),
        ("become root", || call(libc::SYS_setuid, [0; 6])),
        ("make a user namespace", || call(libc::SYS_unshare, [libc::CLONE_NEWUSER as usize, 0, 0, 0, 0, 0])),
        ("mount", || {
            let (none, at) = (c"none".as_ptr() as usize, c"/mnt".as_ptr() as usize);
            call(libc::SYS_mount, [none, at, c"tmpfs".as_ptr() as usize, 0, 0, 0])
        }),
        ("load a program into the kernel", || {
            let map = [2_u32, 4, 4, 1, 0, 0, 0, 0];
            call(libc::SYS_bpf, [0, map.as_ptr() as usize, size_of_val(&map), 0, 0, 0])
        }),
        ("set up an io_uring", || {
            let mut parameters = [0_u8; 120];
            call(libc::SYS_io_uring_setup, [1, parameters.as_mut_ptr() as usize, 0, 0, 0, 0])
        }),
        ("handle page faults", || call(libc::SYS_userfaultfd, [1, 0, 0, 0, 0, 0])),
        ("use a key ring", || call(libc::SYS_keyctl, [0, -3_isize as usize, 1, 0, 0, 0])),
        // A process that succeeds in this prints no more lines.
        ("become another program", || Err(Command::new("/bin/true").exec())),
    ];

    fn parent() -> usize {
        parent_id() as usize
    }

    /// A raw system call.
    #[expect(unsafe_code, reason = "to try what a library would not do")]
    fn call(number: c_long, [a, b, c, d, e, f]: [usize; 6]) -> io::Result<()> {
        // SAFETY: addresses among the arguments are of values that live longer than the call, and none of the calls
        // tried here touches other memory of this process.
        match unsafe { libc::syscall(number, a, b, c, d, e, f) } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: ends the process at once, which is all that a process made by clone3 may do.
            0 if number == libc::SYS_clone3 => unsafe { libc::_exit(0) },
            _ => Ok(()),
        }
    }

    #[expect(unsafe_code, reason = "to try what a library would not do")]
    fn fork() -> io::Result<()> {
        // SAFETY: the child, if there is one, only ends.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: ends the process at once.
            0 => unsafe { libc::_exit(0) },
            _ => Ok(()),
        }
    }

    #[expect(unsafe_code, reason = "to try what a library would not do")]
    fn inherited() -> io::Result<()> {
        let mut byte = 0_u8;
        // SAFETY: one byte is read into a variable of one byte.
        match unsafe { libc::read(INHERITED, ptr::from_mut(&mut byte).cast(), 1) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    fn read_the_parent() -> io::Result<()> {
        let mut bytes = [0_u8; 8];
        let here = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        let there = libc::iovec { iov_base: ptr::without_provenance_mut(0x1000), iov_len: bytes.len() };
        let (here, there) = (ptr::from_ref(&here) as usize, ptr::from_ref(&there) as usize);
        call(libc::SYS_process_vm_readv, [parent(), here, 1, there, 1, 0])
    }
}
