package codegen

import "fmt"

// This file writes instructions, which are types in C++.

// An instructionNode is an instruction or what is tiled of it.
type instructionNode struct{ kind, text, cpp string }

func (instructionNode) isNode() {}

// Instruction returns an instruction, or a tiled operation: its kind, its text in girih's language, and the type in CuTe C++,
// or "" if it is none by itself.
func Instruction(kind, text, cpp string) Value {
	return Value{node: instructionNode{kind, text, cpp}}
}

func (n instructionNode) write(d Dialect) (string, error) {
	switch {
	case d == JSON:
		return fmt.Sprintf(`{"kind":%q,"text":%q}`, n.kind, n.text), nil
	case d == CPP && n.cpp != "":
		return n.cpp + "{}", nil
	}
	return "", refuse(d, "there is no value for %s", n.text)
}
