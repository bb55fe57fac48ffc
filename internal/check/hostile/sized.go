package hostile

import (
	"fmt"
	"strings"
)

// Requests returns all requests: [Unbounded], and requests that take as long as their operations allow. Each request is
// as large as the limits on sizes allow, or larger.
func Requests() []Request { return append(sizedRequests(), Unbounded()...) }

func sizedRequests() []Request {
	var r requests
	r.addLayouts()
	r.addAccesses()
	r.addTiles()
	r.addPrograms()
	r.addTexts()
	return r
}

type requests []Request

func (r *requests) add(name, op string, request object) { *r = append(*r, of(name, op, request)) }

// addLayouts adds operations on layouts that are large, nested or have symbols.
func (r *requests) addLayouts() {
	wild := Modes(22, two, 1<<30)
	unary := []string{
		"is_injective", "is_surjective", "left_inverse", "right_inverse", "inverse", "image", "offsets", "holes", "coalesce",
		"nullspace", "filter",
	}
	for name, l := range map[string]string{
		"wild": wild, "wilder": Modes(60, two, 1<<55), "dense": dense, "swizzled": "Sw<10,0,12> o 0 o " + dense,
		"long": Modes(1024, one, 1<<20), "longer": Modes(60000, one, 1<<20),
		"symbols": Modes(20, symbol, 1<<20), "many symbols": Modes(1000, symbol, 1<<20),
	} {
		for _, f := range unary {
			r.add(f+" "+name, "eval", object{"expr": f + "(" + l + ")"})
		}
		for _, f := range []string{
			"composition", "logical_divide", "logical_product", "blocked_product", "raked_product", "common_refinement",
			"max_common_layout", "tile_to_shape",
		} {
			r.add(f+" "+name, "eval", object{"expr": f + "(" + l + "," + l + ")"})
			r.add(f+" long "+name, "eval", object{"expr": f + "(" + l + "," + Modes(1024, one, 1<<20) + ")"})
		}
		for _, op := range []string{"explain", "inspect", "linear", "show", "tokens"} {
			r.add(name, op, object{"expr": l})
		}
		r.add(name, "compare", object{"a": l, "b": l})
		for _, format := range []string{"svg", "png", "tex", "txt"} {
			r.add(name+" "+format, "draw", object{"expr": l, "format": format, "max_cells": 65536})
		}
		r.add("left_inverse "+name, "explain", object{"expr": "left_inverse(" + l + ")"})
	}
}

// addAccesses adds questions about accesses to large layouts.
func (r *requests) addAccesses() {
	for name, l := range map[string]string{
		"dense": dense, "tile": "(1024,512):(513,1)", "wild": Modes(19, two, 1<<30), "wild 64k": Modes(16, two, 1<<30),
	} {
		for _, a := range [][]string{{"ld"}, {"ld.128", "st.128@cols"}, {"ld", "st@cols", "ldmatrix.x4", "st.v2@rows"}} {
			r.add(fmt.Sprint(name, a), "swizzle", object{"layout": l, "type": "f16", "accesses": a})
		}
		many := strings.Split(strings.Repeat("ld ", 400)+"st", " ")
		r.add(name, "bank", object{"expr": l, "type": "f16", "accesses": many})
		r.add(name, "global", object{"expr": l, "type": "f16", "accesses": many})
	}
}

// addTiles adds questions about large tiles of atoms.
func (r *requests) addTiles() {
	for _, atoms := range []string{"(32768,1,1)", "(64,64,64)"} {
		r.add(atoms, "mma", object{"atom": atom, "atoms": atoms})
		r.add(atoms, "permute", object{"atom": atom, "atoms": atoms, "operand": "B", "run": 65536})
		r.add(atoms, "copies", object{"atom": atom, "atoms": atoms, "memory": "(1048576,64):(64,1)"})
		r.add(atoms, "partition",
			object{
				"tiled": fmt.Sprintf("tiled_mma(%q,%s)", atom, atoms), "operand": "C",
				"layout": "(1048576,1048576):(1,1048576)", "thread": 3,
			})
		r.add(atoms, "draw", object{"expr": fmt.Sprintf("tiled_mma(%q,%s)", atom, atoms)})
	}
}

// addPrograms adds long programs.
func (r *requests) addPrograms() {
	r.add("words", "atoms", object{"filter": strings.Split(strings.Repeat("s ", 100000), " ")})
	r.add("operations", "explain",
		object{"expr": strings.Repeat("complement((2,2):(1,6), 24) o 2:1; ", 20000), "figures": "png"})
	r.add("operations", "eval",
		object{"expr": "let a = (2,2,2,2,2,2,2,2):(1,2,4,8,16,32,64,128);" + strings.Repeat("let a = a o a;", 60000)})
	r.add("chain", "eval", object{
		"expr": "let a = (2,2,2,2,2,2,2,2):(1,2,4,8,16,32,64,128);" + strings.Repeat("a o ", 200000) + "a",
	})
}

// addTexts adds long texts to read.
func (r *requests) addTexts() {
	for _, op := range []string{"read", "why"} {
		for name, text := range map[string]string{
			"brackets": strings.Repeat("(", 1e6), "numbers": strings.Repeat("1,", 500000),
			"layouts": strings.Repeat("(2,3):(1,2) ", 80000),
			"types":   strings.Repeat("Layout<Shape<", 40000) + "_2" + strings.Repeat(">", 40000),
			"angles":  strings.Repeat("<", 1e6),
			"errors":  strings.Repeat("error: static assertion failed: Shape Divisibility Condition\n", 16000),
			"lists":   strings.Repeat("image(4194304:3)\n", 64),
			"wild":    strings.Repeat("left_inverse("+Modes(40, two, 1<<30)+")\n"+Modes(40, two, 1<<40)+"\n", 64),
			"near": strings.Repeat("ValueError: Shape divisibility condition violated: composition("+Modes(40, two, 1<<40)+
				", 1000003:1)\n", 64),
			"swizzles": strings.Repeat("Sw<3,4,3> o _0 o ", 60000), "formulas": strings.Repeat("x ^ ((x & 0x380) >> 3) ", 40000),
		} {
			r.add(name, op, object{"text": text})
		}
	}
}
