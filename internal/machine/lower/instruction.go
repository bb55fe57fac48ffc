package lower

import (
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// This file parses the text of an operation, "ldmatrix... {%0, %1}, [%2];", and emits it with operands.

// An operand is one place of the text.
type operand struct {
	registers int  // the number of registers; 0 for a word
	vector    bool // the operand is in braces
	address   bool // the operand is in brackets
	word      string
}

// parse splits the text of one instruction into the opcode and the places for operands.
func parse(o atom.Operation) (ptx.Op, []operand, error) {
	text, ok := strings.CutSuffix(o.Text, ";")
	opcode, rest, has := strings.Cut(text, " ")
	if !ok || !has || strings.ContainsAny(text, ";\n") || !strings.Contains(opcode, ".") {
		return "", nil, fail(cute.CodeType, "%s is not one instruction of PTX: %s", o.Name, o.Text)
	}
	places := make([]operand, 0, 1+strings.Count(rest, ","))
	for rest != "" {
		var p operand
		part := rest
		switch rest[0] {
		case '{':
			part, p.vector = rest[:strings.IndexByte(rest, '}')+1], true
		case '[':
			part, p.address = rest[:strings.IndexByte(rest, ']')+1], true
		default:
			part, _, _ = strings.Cut(rest, ",")
		}
		if part == "" {
			return "", nil, fail(cute.CodeType, "%s has an operand without an end, or none: %s", o.Name, o.Text)
		}
		rest = strings.TrimPrefix(strings.TrimPrefix(rest[len(part):], ","), " ")
		p.registers = strings.Count(part, "%")
		if p.registers == 0 {
			p.word = strings.Trim(part, "{}[]")
		} else if p.address && p.registers > 1 {
			return "", nil, fail(cute.CodeType, "%s takes coordinates of a tensor, which are not lowered: %s", o.Name, o.Text)
		}
		places = append(places, p)
	}
	return ptx.Op(opcode), places, nil
}

// emit emits the instruction: each place with registers uses the next of groups, and each word is replaced as words
// says.
func emit(b *ptx.Builder, o atom.Operation, groups []ptx.Vec, words map[string]ptx.Operand) error {
	opcode, places, err := parse(o)
	if err != nil {
		return err
	}
	operands := make([]ptx.Operand, 0, len(places))
	next := 0
	for _, p := range places {
		var x ptx.Operand
		if p.registers == 0 {
			if x, err = p.lookUp(o, words); err != nil {
				return err
			}
			operands = append(operands, x)
			continue
		}
		var g ptx.Vec
		if next < len(groups) {
			g = groups[next]
		}
		if len(g) != p.registers {
			return fail(cute.CodeExtent, "operand %d of %s has %d registers, found %d", next, o.Name, p.registers, len(g))
		}
		next++
		if x, err = p.fill(o, g); err != nil {
			return err
		}
		operands = append(operands, x)
	}
	if next != len(groups) {
		return fail(cute.CodeExtent, "%s takes %d operands in registers, found %d", o.Name, next, len(groups))
	}
	b.Emit(opcode, operands...)
	return nil
}

// lookUp returns the operand that replaces a word. A number that is not in words is used as it is.
func (p operand) lookUp(o atom.Operation, words map[string]ptx.Operand) (ptx.Operand, error) {
	if w, ok := words[p.word]; ok {
		return w, nil
	}
	if p.word != "" && p.word[0] >= '0' && p.word[0] <= '9' {
		if n, err := strconv.ParseInt(p.word, 0, 64); err == nil {
			return ptx.Int(n), nil
		}
	}
	return nil, fail(cute.CodeType, "%s has an operand %q that is not lowered", o.Name, p.word)
}

// fill returns the operand of a place with these registers: a vector, an address or the register.
func (p operand) fill(o atom.Operation, g ptx.Vec) (ptx.Operand, error) {
	switch {
	case p.vector:
		return g, nil
	case !p.address:
		return g[0], nil
	}
	switch x := g[0].(type) {
	case ptx.Addr:
		return x, nil
	case ptx.Name:
		return ptx.Addr{Base: x}, nil
	}
	return nil, fail(cute.CodeType, "%s takes an address in a register, found %v", o.Name, g[0])
}
