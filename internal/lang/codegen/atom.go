package codegen

import "fmt"

// This file writes instructions and tiled operations, for C++ and the CuTe DSL.

// An instructionNode is an instruction or a tiled operation.
type instructionNode struct {
	kind, text string
	written    map[Dialect]string
}

func (instructionNode) isNode() {}

// Instruction returns an instruction or a tiled operation: its kind, its text in girih's language, and its text in each
// dialect that can write it.
func Instruction(kind, text string, written map[Dialect]string) Value {
	return Value{node: instructionNode{kind, text, written}}
}

func (n instructionNode) write(d Dialect) (string, error) {
	if d == JSON {
		return fmt.Sprintf(`{"kind":%q,"text":%q}`, n.kind, n.text), nil
	}
	if text := n.written[d]; text != "" {
		return text, nil
	}
	return "", refuse(d, "there is no value for %s", n.text)
}
