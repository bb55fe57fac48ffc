package interp

import (
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements functools.cache and functools.lru_cache.

// A cache contains the results of a function. The most recently used result is at the end.
type cache struct {
	results      Dict
	hits, misses int64
	room         int64 // the maximum number of results; 0 for no limit
}

// cacheInfo is the class of the result of cache_info().
var cacheInfo = &ClassType{
	Name: "CacheInfo", module: "functools", kind: tupleClass, fields: []string{"hits", "misses", "maxsize", "currsize"},
}

// info implements f.cache_info().
func (k *cache) info() Value {
	size := Value(None{})
	if k.room > 0 {
		size = Int(k.room)
	}
	return &Instance{cacheInfo, map[string]Value{
		"hits": Int(k.hits), "misses": Int(k.misses), "maxsize": size, "currsize": Int(k.results.Len()),
	}}
}

// cacheKey returns the key of a call in a cache. If the only argument is an integer or a text, it does not equal a
// float: f(1) and f(1.0) are different calls.
func cacheKey(c *arguments) Value {
	if len(c.pos) == 1 && len(c.keys) == 0 {
		switch c.pos[0].(type) {
		case Int, Str:
			return c.pos[0]
		}
	}
	key := Value(Tuple(append([]Value(nil), c.pos...)))
	for _, k := range c.keys {
		key = Tuple{key, Str(k.Name), k.Value}
	}
	return key
}

// invokeCached calls a function with lru_cache. If it was called with the same arguments before, the earlier result is
// returned.
func (r *runner) invokeCached(f *Func, c *arguments) (Value, error) {
	k := f.cached
	key := cacheKey(c)
	if _, err := r.py.Key(key); err != nil {
		return nil, err
	}
	known, err := r.py.Compare("in", key, &k.results)
	if err != nil {
		return nil, err
	}
	var v Value
	if known == Bool(true) {
		k.hits++
		v, err = r.py.CallMethod(&k.results, "pop", []Value{key}, nil)
	} else {
		k.misses++
		plain := *f
		plain.cached = nil
		v, err = r.invoke(&plain, c)
	}
	if err != nil {
		return nil, err
	}
	for old := range k.results.All() {
		if k.room > 0 && int64(k.results.Len()) >= k.room {
			if err := r.py.DeleteIndex(&k.results, old); err != nil {
				return nil, err
			}
		}
		break
	}
	return v, r.py.SetIndex(&k.results, key, v)
}

// cache gives a function the cache that @cache or @lru_cache(maxsize=) requests.
func (r *runner) cache(f *Func, d program.Expr) error {
	f.cached = &cache{}
	if lastName(calledName(d)) == "cache" {
		return nil
	}
	f.cached.room = 128
	call, ok := d.(*program.Call)
	if !ok {
		return nil
	}
	c, err := r.evaluateArguments(call)
	if err != nil {
		return err
	}
	if typed := c.take("typed"); typed != nil && typed != Bool(false) || len(c.pos) > 1 {
		return python.Refuse("lru_cache(typed=True) is not run")
	}
	size := c.take("maxsize")
	if size == nil && len(c.pos) > 0 {
		size = c.pos[0]
	}
	switch n := size.(type) {
	case nil:
	case Int:
		if n <= 0 {
			return python.Refuse("lru_cache(maxsize=%d) is not run", int64(n))
		}
		f.cached.room = int64(n)
	default:
		f.cached.room = 0
	}
	return nil
}
