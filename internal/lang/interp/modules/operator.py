# The functions of operator that are not in Go.

def itemgetter(*items):
    if len(items) == 1:
        return lambda x: x[items[0]]
    return lambda x: tuple(x[i] for i in items)


def attrgetter(*names):
    def get(x, name):
        for part in name.split("."):
            x = getattr(x, part)
        return x
    if len(names) == 1:
        return lambda x: get(x, names[0])
    return lambda x: tuple(get(x, name) for name in names)


def methodcaller(name, *args, **kwargs):
    return lambda x: getattr(x, name)(*args, **kwargs)


def neg(a):
    return -a


def not_(a):
    return not a


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def is_(a, b):
    return a is b


def contains(a, b):
    return b in a


def getitem(a, b):
    return a[b]
