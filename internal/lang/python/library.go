package python

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// This file has the table of the functions of Python's library, and how they are called. A row names the parameters of
// a function:
//
//	x    is required, and given by its place
//	x?   may be left out, and is given by its place
//	x=   may be left out, and is given by its place or its name
//	*x=  may be left out, and is given by its name
//	...  takes any number of further arguments
//
// The function of a row gets one value for each name, nil for one that is left out, and then the further arguments.

// A builtin is a function of the library, or a method without its first argument.
type builtin struct {
	params string
	call   func(py *Library, a []Value) (Value, error)
}

// A namedRow is a builtin and its name. A list of them is data in the program. A literal of a map is code that fills
// it, 100 bytes for each row.
type namedRow struct {
	name string
	row  *builtin
}

// rowsOf returns the builtins of a list by name.
func rowsOf(list []namedRow) map[string]*builtin {
	rows := make(map[string]*builtin, len(list))
	for _, r := range list {
		rows[r.name] = r.row
	}
	return rows
}

// arguments are the evaluated arguments of a call.
type arguments struct {
	pos  []Value
	keys []KeyArg
}

// A KeyArg is NAME=VALUE.
type KeyArg struct {
	Name  string
	Value Value
}

// builtins are the functions of the library by name; a function of a module is math.floor.
var builtins map[string]*builtin

func init() {
	builtins = make(map[string]*builtin)
	for _, rows := range []map[string]*builtin{
		numberRows, containerRows, typeRows, iteratorRows, mathRows, moduleRows,
	} {
		for name, row := range rows {
			builtins[name] = row
		}
	}
	methods = map[string]map[string]*builtin{
		"str": textRows, "list": listRows, "tuple": tupleRows, "dict": dictRows, "set": setRows, "int": intRows,
		"bool": intRows, "float": floatRows, "range": rangeRows, "frozenset": frozenRows(),
	}
}

// methods are the methods of the types.
var methods map[string]map[string]*builtin

// Names returns the names of the functions of the library. A function of a module is math.floor.
func Names() iter.Seq[string] { return maps.Keys(builtins) }

// Has reports whether the library has a function.
func Has(name string) bool { return builtins[name] != nil }

// Constant returns a constant of a module, such as math.pi.
func Constant(name string) (Value, bool) {
	v, ok := constants[name]
	return v, ok
}

// Call calls a function of the library.
func (py *Library) Call(name string, pos []Value, keys []KeyArg) (Value, error) {
	return py.call(name, arguments{pos, keys})
}

func (py *Library) call(name string, a arguments) (Value, error) {
	row := builtins[name]
	switch {
	case row == nil:
		return nil, Raise("NameError", "name '%s' is not defined", name)
	case name == "dict":
		d := &Dict{}
		return d, py.update(d, a)
	}
	list, err := row.bind(name, a)
	if err != nil {
		return nil, err
	}
	return row.call(py, list)
}

// HasMethod reports whether a value has a method of the library.
func HasMethod(x Value, name string) bool {
	if t, ok := x.(Class); ok {
		return methods[t.ClassName()][name] != nil
	}
	return methods[TypeName(x)][name] != nil
}

// CallMethod calls a method of a value; for a type, as in str.upper(x), the first argument is the value.
func (py *Library) CallMethod(x Value, name string, pos []Value, keys []KeyArg) (Value, error) {
	return py.callMethod(x, name, arguments{pos, keys})
}

func (py *Library) callMethod(x Value, name string, a arguments) (Value, error) {
	of := TypeName(x)
	if t, ok := x.(Class); ok && t.ClassName() == "dict" && name == "fromkeys" {
		x, of = &Dict{}, "dict"
	} else if ok && len(a.pos) > 0 {
		if of = TypeName(a.pos[0]); of != t.ClassName() {
			return nil, TypeError("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name, t.ClassName(), of)
		}
		x, a.pos = a.pos[0], a.pos[1:]
	}
	row := methods[of][name]
	if row == nil {
		return nil, &Exception{
			Kind: "AttributeError", Msg: "'" + of + "' object has no attribute '" + name + "'", More: nearMethods(of),
		}
	}
	if of == "str" && name == "format" {
		r := fieldReader{py: py, a: a}
		text, err := r.read(string(x.(Str)))
		return Str(text), err
	}
	if of == "dict" && name == "update" {
		return None{}, py.update(x.(*Dict), a)
	}
	list, err := row.bind(name, a)
	if err != nil {
		return nil, err
	}
	return row.call(py, append([]Value{x}, list...))
}

func nearMethods(of string) string {
	names := make([]string, 0, len(methods[of]))
	for name := range methods[of] {
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "; it has " + strings.Join(names, ", ")
}

// bind gives each parameter its argument.
func (row *builtin) bind(name string, a arguments) ([]Value, error) {
	params := strings.Fields(row.params)
	many := slices.Contains(params, "...")
	params = slices.DeleteFunc(params, func(p string) bool { return p == "..." })
	list := make([]Value, len(params), len(params)+len(a.pos))
	next, required := 0, 0
	for i, p := range params {
		if strings.HasPrefix(p, "*") {
			continue
		}
		if !strings.HasSuffix(p, "?") && !strings.HasSuffix(p, "=") {
			required++
		}
		if next < len(a.pos) {
			list[i] = a.pos[next]
			next++
		}
	}
	if rest := a.pos[next:]; many {
		list = append(list, rest...)
	} else if len(rest) > 0 {
		return nil, loose("%s() takes at most %d arguments, found %d", name, next, len(a.pos))
	}
	if len(a.pos) < required {
		return nil, loose("%s() takes at least %d arguments, found %d", name, required, len(a.pos))
	}
	for _, k := range a.keys {
		i := slices.IndexFunc(params, func(p string) bool { return strings.TrimPrefix(p, "*") == k.Name+"=" })
		switch {
		case i < 0:
			return nil, TypeError("'%s' is an invalid keyword argument for %s()", k.Name, name)
		case list[i] != nil:
			return nil, TypeError("%s() got multiple values for argument '%s'", name, k.Name)
		}
		list[i] = k.Value
	}
	return list, nil
}

// integer returns an argument that has to be an integer; other is its value if it is left out.
func integer(v Value, other int64) (int64, error) {
	if v == nil {
		return other, nil
	}
	n, ok := asInt(v)
	if !ok {
		return 0, TypeError("'%s' object cannot be interpreted as an integer", TypeName(v))
	}
	return n, nil
}

// isNone reports whether an argument is left out or None.
func isNone(v Value) bool {
	_, none := v.(None)
	return v == nil || none
}
