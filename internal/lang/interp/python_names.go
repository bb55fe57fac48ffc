package interp

import "fmt"

// This file names the types of values as Python does.

// typeName returns the name of the type of a value in Python.
func typeName(v Value) string {
	if t, ok := v.(interface{ typeName() string }); ok {
		return t.typeName()
	}
	return fmt.Sprintf("%T", v)
}

func (Int) typeName() string         { return "int" }
func (Bool) typeName() string        { return "bool" }
func (Float) typeName() string       { return "float" }
func (Str) typeName() string         { return "str" }
func (None) typeName() string        { return "NoneType" }
func (Tuple) typeName() string       { return "tuple" }
func (*List) typeName() string       { return "list" }
func (*Dict) typeName() string       { return "dict" }
func (*Set) typeName() string        { return "set" }
func (Range) typeName() string       { return "range" }
func (Slice) typeName() string       { return "slice" }
func (v View) typeName() string      { return "dict_" + v.Name }
func (i *Iterator) typeName() string { return i.Name }
func (*Func) typeName() string       { return "function" }
func (*Builtin) typeName() string    { return "builtin_function_or_method" }
func (Method) typeName() string      { return "builtin_function_or_method" }
func (Module) typeName() string      { return "module" }
func (TypeValue) typeName() string   { return "type" }
func (x Algebra) typeName() string   { return string(x.Value.Kind()) }
