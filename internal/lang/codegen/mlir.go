package codegen

import "strconv"

// This file writes the types of MLIR's cute dialect, such as !cute.layout<"(4,2):(1,4)">, in the grammar of the
// attributes of cute_ir in the CUTLASS repository. Dynamic integers keep their facts, not their names.

func writeMLIR(n node) (string, error) {
	if err := mlirLacks(n); err != nil {
		return "", err
	}
	w := &textWriter{number: anonymous}
	kind := ""
	switch n := n.(type) {
	case tuple:
		kind = mlirTuple(n.tree)
	case layout:
		kind = "layout"
	case swizzle:
		kind = "swizzle"
	case composed:
		if len(n.stages) > 1 {
			return "", refuse(MLIR, "a composed_layout has a function, an offset and a layout, this chain has %d functions",
				len(n.stages))
		}
		kind = "composed_layout"
	case keep:
		kind = "coord"
	case tile:
		w.WriteString(`!cute.tile<"`)
		if err := w.tile(n); err != nil {
			return "", err
		}
		w.WriteString(`">`)
		return w.String(), nil
	default:
		return "", refuse(MLIR, "the cute dialect has no type for %s", describe(n))
	}
	w.WriteString("!cute." + kind + `<"`)
	w.node(n, "S")
	w.WriteString(`">`)
	return w.String(), nil
}

// mlirTuple returns the type for the leaves of a tuple: int_tuple has neither coordinates nor underscores.
func mlirTuple(t tree) string {
	_, nested := t.(branch)
	switch {
	case has(t, isOpen):
		return "coord"
	case has(t, isSum):
		return "stride"
	case nested && isShape(t):
		return "shape"
	}
	return "int_tuple"
}

// anonymous spells an integer without its name.
func anonymous(x number, _ int) string {
	if x.formula == nil {
		return strconv.FormatInt(x.static, 10)
	}
	return "?" + x.facts.braces()
}

// tile writes [4:1;_;[2:1;3:2]]: an element is a layout, _ or a tile.
func (w *textWriter) tile(t tile) error {
	if len(t) == 0 {
		return refuse(MLIR, "a tile has an element at least")
	}
	w.WriteByte('[')
	for i, m := range t {
		if i > 0 {
			w.WriteByte(';')
		}
		switch m := m.(type) {
		case tile:
			if err := w.tile(m); err != nil {
				return err
			}
		case tuple:
			w.shapeTile(m.tree)
		case layout, keep:
			w.node(m, "S")
		default:
			return refuse(MLIR, "a tile has no place for %s", describe(m))
		}
	}
	w.WriteByte(']')
	return nil
}

// shapeTile writes a shape as a tile: mode by mode.
func (w *textWriter) shapeTile(t tree) {
	b, ok := t.(branch)
	if !ok {
		w.tree(t)
		w.WriteString(":1")
		return
	}
	w.WriteByte('[')
	for i, e := range b {
		if i > 0 {
			w.WriteByte(';')
		}
		w.shapeTile(e)
	}
	w.WriteByte(']')
}

// mlirLacks refuses leaves for which there is no type.
func mlirLacks(n node) error {
	if err := wideSwizzle(MLIR, n, 32); err != nil { // swizzle::is_valid of cutegen
		return err
	}
	return lacks(n, func(leaf tree) error {
		if s, ok := leaf.(sum); ok && len(s) > 1 {
			return refuse(MLIR, "a stride points along one axis, %s does not", leafText(leaf))
		}
		return nil
	})
}

// describe returns the kind of the value as a noun phrase.
func describe(n node) string {
	switch n.(type) {
	case boolean:
		return "a truth value"
	case tuple:
		return "a tuple"
	case layout:
		return "a layout"
	case swizzle:
		return "a swizzle"
	case composed:
		return "a composed layout"
	case tile:
		return "a tile"
	case keep:
		return "the tiler _"
	case list:
		return "a list"
	}
	return "the name of an order"
}
