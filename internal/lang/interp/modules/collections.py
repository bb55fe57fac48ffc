# The classes of collections that programs use. A mapping here holds a dict.

class _Mapping:
    _like = dict

    def __init__(self, *args, **kwargs):
        self._d = {}
        self.update(*args, **kwargs)

    def __getitem__(self, key):
        return self._d[key]

    def __setitem__(self, key, value):
        self._d[key] = value

    def __delitem__(self, key):
        del self._d[key]

    def __contains__(self, key):
        return key in self._d

    def __iter__(self):
        return iter(self._d)

    def __len__(self):
        return len(self._d)

    def __eq__(self, other):
        return self._d == (other._d if isinstance(other, _Mapping) else other)

    def __or__(self, other):
        result = self.copy()
        result.update(other)
        return result

    def keys(self):
        return self._d.keys()

    def values(self):
        return self._d.values()

    def items(self):
        return self._d.items()

    def get(self, key, default=None):
        return self._d.get(key, default)

    def setdefault(self, key, default=None):
        return self._d.setdefault(key, default)

    def pop(self, *args):
        return self._d.pop(*args)

    def popitem(self):
        return self._d.popitem()

    def clear(self):
        self._d.clear()

    def update(self, *args, **kwargs):
        self._d.update(*args, **kwargs)


class defaultdict(_Mapping):
    def __init__(self, default_factory=None, *args, **kwargs):
        self.default_factory = default_factory
        _Mapping.__init__(self, *args, **kwargs)

    def __getitem__(self, key):
        if key not in self._d and self.default_factory is not None:
            self._d[key] = self.default_factory()
        return self._d[key]

    def copy(self):
        return defaultdict(self.default_factory, self._d)

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {self._d!r})"


class OrderedDict(_Mapping):
    def copy(self):
        return OrderedDict(self._d)

    def __repr__(self):
        return f"OrderedDict({list(self._d.items())!r})" if self._d else "OrderedDict()"

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return list(self._d.items()) == list(other._d.items())
        return _Mapping.__eq__(self, other)

    def __reversed__(self):
        return reversed(self._d)

    def move_to_end(self, key, last=True):
        value = self._d.pop(key)
        if last:
            self._d[key] = value
            return
        items = list(self._d.items())
        self._d.clear()
        self._d[key] = value
        self._d.update(items)

    def popitem(self, last=True):
        if last or not self._d:
            return self._d.popitem()
        key = next(iter(self._d))
        return key, self._d.pop(key)


class Counter(_Mapping):
    def __getitem__(self, key):
        return self._d.get(key, 0)

    def __delitem__(self, key):
        self._d.pop(key, None)

    def copy(self):
        return Counter(self._d)

    def _add(self, sign, items, kwargs):
        for x in items, kwargs:
            if hasattr(x, "keys"):
                for key, n in x.items():
                    self._d[key] = self._d.get(key, 0) + sign * n
            else:
                for key in x:
                    self._d[key] = self._d.get(key, 0) + sign

    def update(self, iterable=(), **kwargs):
        self._add(1, iterable, kwargs)

    def subtract(self, iterable=(), **kwargs):
        self._add(-1, iterable, kwargs)

    def most_common(self, n=None):
        items = sorted(self._d.items(), key=lambda item: item[1], reverse=True)
        return items if n is None else items[:n]

    def elements(self):
        for key, n in self._d.items():
            for _ in range(n):
                yield key

    def total(self):
        return sum(self._d.values())

    def _merge(self, other, f):
        result = Counter()
        for key in {**self._d, **other._d}:
            n = f(self[key], other[key])
            if n > 0:
                result._d[key] = n
        return result

    def __add__(self, other):
        return self._merge(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._merge(other, lambda a, b: a - b)

    def __and__(self, other):
        return self._merge(other, min)

    def __or__(self, other):
        return self._merge(other, max)

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return self._d == other
        return all(self[key] == other[key] for key in {**self._d, **other._d})

    def __repr__(self):
        if not self._d:
            return "Counter()"
        return "Counter({" + ", ".join(f"{key!r}: {n!r}" for key, n in self.most_common()) + "})"


class deque:
    def __init__(self, iterable=(), maxlen=None):
        self._l = []
        self.maxlen = maxlen
        self.extend(iterable)

    def append(self, x):
        self._l.append(x)
        if self.maxlen is not None and len(self._l) > self.maxlen:
            del self._l[0]

    def appendleft(self, x):
        self._l.insert(0, x)
        if self.maxlen is not None and len(self._l) > self.maxlen:
            del self._l[-1]

    def extend(self, iterable):
        for x in iterable:
            self.append(x)

    def extendleft(self, iterable):
        for x in iterable:
            self.appendleft(x)

    def pop(self):
        if not self._l:
            raise IndexError("pop from an empty deque")
        return self._l.pop()

    def popleft(self):
        if not self._l:
            raise IndexError("pop from an empty deque")
        return self._l.pop(0)

    def clear(self):
        self._l.clear()

    def copy(self):
        return deque(self._l, self.maxlen)

    def count(self, x):
        return self._l.count(x)

    def index(self, x):
        if x not in self._l:
            raise ValueError(f"{x!r} is not in deque")
        return self._l.index(x)

    def remove(self, x):
        if x not in self._l:
            raise ValueError("deque.remove(x): x not in deque")
        self._l.remove(x)

    def reverse(self):
        self._l.reverse()

    def rotate(self, n=1):
        if self._l:
            n %= len(self._l)
            self._l[:] = self._l[len(self._l) - n:] + self._l[:len(self._l) - n]

    def __getitem__(self, i):
        if isinstance(i, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        if not -len(self._l) <= i < len(self._l):
            raise IndexError("deque index out of range")
        return self._l[i]

    def __setitem__(self, i, x):
        if not -len(self._l) <= i < len(self._l):
            raise IndexError("deque index out of range")
        self._l[i] = x

    def __iter__(self):
        return iter(self._l)

    def __reversed__(self):
        return reversed(self._l)

    def __len__(self):
        return len(self._l)

    def __contains__(self, x):
        return x in self._l

    def __eq__(self, other):
        return isinstance(other, deque) and self._l == other._l

    def __add__(self, other):
        return deque(self._l + other._l, self.maxlen)

    def __repr__(self):
        end = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return f"deque({self._l!r}{end})"
