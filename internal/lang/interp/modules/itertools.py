# The functions of itertools that are not in Go.

class chain:
    def __init__(self, *iterables):
        self._it = (x for iterable in iterables for x in iterable)

    @classmethod
    def from_iterable(cls, iterables):
        result = cls()
        result._it = (x for iterable in iterables for x in iterable)
        return result

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._it)


def islice(iterable, *args):
    s = slice(*args)
    start = 0 if s.start is None else s.start
    step = 1 if s.step is None else s.step
    for bound in (start, step, 0 if s.stop is None else s.stop):
        if not isinstance(bound, int) or bound < 0 or step < 1:
            raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    return _islice(iter(iterable), start, s.stop, step)


def _islice(it, start, stop, step):
    at = 0
    while stop is None or start < stop:
        for x in it:
            at += 1
            if at > start:
                break
        else:
            return
        yield x
        start += step
    if stop is not None:
        while at < stop:
            at += 1
            next(it, None)


def takewhile(predicate, iterable):
    for x in iterable:
        if not predicate(x):
            return
        yield x


def dropwhile(predicate, iterable):
    it = iter(iterable)
    for x in it:
        if not predicate(x):
            yield x
            break
    yield from it


def filterfalse(predicate, iterable):
    for x in iterable:
        if not (x if predicate is None else predicate(x)):
            yield x


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def compress(data, selectors):
    for x, s in zip(data, selectors):
        if s:
            yield x


def pairwise(iterable):
    it = iter(iterable)
    for a in it:
        for b in it:
            yield a, b
            a = b


def cycle(iterable):
    saved = []
    for x in iterable:
        yield x
        saved.append(x)
    while saved:
        for x in saved:
            yield x


def zip_longest(*iterables, fillvalue=None):
    its = [iter(x) for x in iterables]
    left = [True] * len(its)
    while its:
        row = []
        for i, it in enumerate(its):
            value = fillvalue
            if left[i]:
                for value in it:
                    break
                else:
                    left[i] = False
                    if not any(left):
                        return
            row.append(value)
        yield tuple(row)


def groupby(iterable, key=None):
    group = []
    for x in iterable:
        k = x if key is None else key(x)
        if group and k != last:
            yield last, iter(group)
            group = []
        last = k
        group.append(x)
    if group:
        yield last, iter(group)


def _choose(pool, r, again, ordered):
    def choose(chosen, start):
        if len(chosen) == r:
            yield tuple(pool[i] for i in chosen)
            return
        for i in range(start, len(pool)):
            if again or not ordered or i not in chosen:
                yield from choose(chosen + [i], 0 if ordered else i if again else i + 1)
    if r < 0:
        raise ValueError("r must be non-negative")
    if r > len(pool) and not again:
        return iter(())
    return choose([], 0)


def permutations(iterable, r=None):
    pool = tuple(iterable)
    return _choose(pool, len(pool) if r is None else r, False, True)


def combinations(iterable, r):
    return _choose(tuple(iterable), r, False, False)


def combinations_with_replacement(iterable, r):
    return _choose(tuple(iterable), r, True, False)


def batched(iterable, n):
    it = iter(iterable)
    while batch := tuple(islice(it, n)):
        yield batch
