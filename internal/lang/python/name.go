package python

import "fmt"

// This file names the types of values as Python does.

// TypeName returns the name of the type of a value in Python.
func TypeName(v Value) string {
	if t, ok := v.(interface{ TypeName() string }); ok {
		return t.TypeName()
	}
	return fmt.Sprintf("%T", v)
}

func (Int) TypeName() string         { return "int" }
func (Bool) TypeName() string        { return "bool" }
func (Float) TypeName() string       { return "float" }
func (Str) TypeName() string         { return "str" }
func (None) TypeName() string        { return "NoneType" }
func (Tuple) TypeName() string       { return "tuple" }
func (*List) TypeName() string       { return "list" }
func (*Dict) TypeName() string       { return "dict" }
func (Range) TypeName() string       { return "range" }
func (Slice) TypeName() string       { return "slice" }
func (v View) TypeName() string      { return "dict_" + v.Name }
func (i *Iterator) TypeName() string { return i.Name }
func (Method) TypeName() string      { return "builtin_function_or_method" }
func (m Module) TypeName() string {
	if name := map[Module]string{"NotImplemented": "NotImplementedType", "Ellipsis": "ellipsis"}[m]; name != "" {
		return name
	}
	return "module"
}

// TypeName returns the name of the type in Python.
func (s *Set) TypeName() string {
	if s.Frozen {
		return "frozenset"
	}
	return "set"
}

func asSetType(v Value) bool {
	_, ok := v.(*Set)
	return ok
}
