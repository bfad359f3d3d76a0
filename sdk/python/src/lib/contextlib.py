class suppress:
    def __init__(self, *errors):
        self.errors = errors

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.errors)


def contextmanager(function):
    class Manager:
        def __init__(self, *args, **named):
            self.steps = function(*args, **named)

        def __enter__(self):
            return next(self.steps)

        def __exit__(self, kind, error, trace):
            if kind is None:
                next(self.steps, None)
                return False
            try:
                self.steps.throw(error)
            except StopIteration:
                return True
            return False

    return Manager
