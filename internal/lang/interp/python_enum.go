package interp

import (
	"strings"

	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements enumerations, which are classes whose names are their members.

// EnumName returns the name of an enumeration, or "" for any other class.
func (t *ClassType) EnumName() string {
	if isEnum(t) {
		return t.Name
	}
	return ""
}

func isEnum(t *ClassType) bool { return t.kind == enumClass || t.kind == intEnumClass }

// autoValue is the value of auto(), which means the last number plus one.
const autoValue = python.Module("auto()")

// addMembers makes the members of an enumeration from the names to which its body assigns, in order. A name with the
// value of an earlier member is an alias of that member.
func (r *runner) addMembers(t *ClassType, body []program.Stmt) error {
	last := Value(Int(0))
	for _, st := range body {
		a, ok := st.(*program.Assign)
		if !ok {
			continue
		}
		for _, target := range a.Targets {
			name, ok := target.(*program.Name)
			if !ok || a.X == nil || strings.HasPrefix(name.Name, "_") {
				continue
			}
			v := t.names[name.Name].v
			switch v.(type) {
			case *Func, *Builtin, Method:
				continue
			}
			if v == autoValue {
				var err error
				if v, err = r.py.Binary("+", last, Int(1)); err != nil {
					return r.at(a, err)
				}
			}
			last = v
			m, err := r.addMember(t, name.Name, v)
			if err != nil {
				return r.at(a, err)
			}
			t.names[name.Name] = &cell{v: m}
		}
	}
	return nil
}

func (r *runner) addMember(t *ClassType, name string, v Value) (Value, error) {
	for _, m := range t.members {
		same, err := r.py.Compare("==", m.attrs["value"], v)
		if err != nil || same == Bool(true) {
			return m, err
		}
	}
	if _, isInt := v.(Int); t.kind == intEnumClass && !isInt {
		return nil, python.Refuse("a member of IntEnum that is no integer is not run")
	}
	m := &Instance{t, map[string]Value{"name": Str(name), "value": v, "_name_": Str(name), "_value_": v}}
	t.members = append(t.members, m)
	if f, ok := t.method("__init__"); ok {
		args, isTuple := v.(Tuple)
		if !isTuple {
			args = Tuple{v}
		}
		_, err := r.invoke(f, &arguments{pos: append([]Value{m}, args...)})
		return m, err
	}
	return m, r.hold(256)
}

// memberOf implements ENUM(VALUE).
func (r *runner) memberOf(t *ClassType, c *arguments) (Value, error) {
	if len(c.pos) != 1 || len(c.keys) > 0 {
		return nil, python.Refuse("an enumeration is called with one value here")
	}
	for _, m := range t.members {
		if m == c.pos[0] {
			return m, nil
		}
		same, err := r.py.Compare("==", m.attrs["value"], c.pos[0])
		if err != nil || same == Bool(true) {
			return m, err
		}
	}
	text, err := r.py.Repr(c.pos[0])
	if err != nil {
		return nil, err
	}
	return nil, python.ValueError("%s is not a valid %s", text, t.qualifiedName())
}

// memberNamed is ENUM[NAME].
func (t *ClassType) memberNamed(name Value) (Value, error) {
	text, _ := name.(Str)
	if m, ok := t.find(string(text)).(*Instance); ok && m.class == t {
		return m, nil
	}
	return nil, &python.Exception{Kind: "KeyError", Msg: "'" + string(text) + "'", Args: Tuple{name}}
}

// memberList returns the members of an enumeration.
func (t *ClassType) memberList() (list Tuple) {
	for _, m := range t.members {
		list = append(list, m)
	}
	return list
}

// memberDict returns the members by their names.
func (t *ClassType) memberDict() *Dict {
	d := &Dict{}
	for _, m := range t.members {
		_ = (&python.Library{}).SetIndex(d, m.attrs["name"], m) // a text is always a valid key
	}
	return d
}
