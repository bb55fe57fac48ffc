# The contexts of contextlib.

class _GeneratorContextManager:
    def __init__(self, gen):
        self.gen = gen

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, typ, value, traceback):
        if typ is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self.gen.throw(value)
        except BaseException as e:
            if e is value:
                return False
            if isinstance(e, StopIteration):
                return True
            raise
        raise RuntimeError("generator didn't stop after throw()")

    def __call__(self, func):
        raise TypeError("a context that decorates a function is not run")


def contextmanager(func):
    def helper(*args, **kwargs):
        return _GeneratorContextManager(func(*args, **kwargs))
    return helper


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        pass

    def __exit__(self, typ, value, traceback):
        return typ is not None and issubclass(typ, self._exceptions)


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *args):
        pass


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *args):
        self.thing.close()


class ExitStack:
    def __init__(self):
        self._exits = []

    def __enter__(self):
        return self

    def enter_context(self, cm):
        result = cm.__enter__()
        self._exits.append(cm.__exit__)
        return result

    def push(self, exit):
        self._exits.append(exit.__exit__ if hasattr(exit, "__exit__") else exit)
        return exit

    def callback(self, f, *args, **kwargs):
        self._exits.append(lambda typ, value, traceback: f(*args, **kwargs) and False)
        return f

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, typ, value, traceback):
        suppressed = False
        pending = value
        while self._exits:
            exit = self._exits.pop()
            try:
                if exit(type(pending) if pending is not None else None, pending, None):
                    suppressed, pending = pending is not None, None
            except BaseException as e:
                suppressed, pending = False, e
        if pending is not None and pending is not value:
            raise pending
        return suppressed
