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
	vector    bool // in braces
	address   bool // in brackets
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

// emit emits the instruction: each place with registers takes the next of groups, and each word is replaced by words.
func emit(b *ptx.Builder, o atom.Operation, groups []ptx.Vec, words map[string]ptx.Operand) error {
	opcode, places, err := parse(o)
	if err != nil {
		return err
	}
	operands := make([]ptx.Operand, 0, len(places))
	next := 0
	for _, p := range places {
		if p.registers == 0 {
			w, ok := words[p.word]
			if !ok && (p.word == "" || p.word[0] < '0' || p.word[0] > '9') {
				return fail(cute.CodeType, "%s has an operand %q that is not lowered", o.Name, p.word)
			}
			if !ok {
				n, err := strconv.ParseInt(p.word, 0, 64)
				if err != nil {
					return fail(cute.CodeType, "%s has an operand %q that is not lowered", o.Name, p.word)
				}
				w = ptx.Int(n)
			}
			operands = append(operands, w)
			continue
		}
		if next == len(groups) || len(groups[next]) != p.registers {
			found := 0
			if next < len(groups) {
				found = len(groups[next])
			}
			return fail(cute.CodeExtent, "operand %d of %s has %d registers, found %d", next, o.Name, p.registers, found)
		}
		g := groups[next]
		next++
		switch {
		case p.vector:
			operands = append(operands, g)
		case p.address:
			base, ok := g[0].(ptx.Name)
			if a, is := g[0].(ptx.Addr); is {
				operands = append(operands, a)
				continue
			}
			if !ok {
				return fail(cute.CodeType, "%s takes an address in a register, found %v", o.Name, g[0])
			}
			operands = append(operands, ptx.Addr{Base: base})
		default:
			operands = append(operands, g[0])
		}
	}
	if next != len(groups) {
		return fail(cute.CodeExtent, "%s takes %d operands in registers, found %d", o.Name, next, len(groups))
	}
	b.Emit(opcode, operands...)
	return nil
}
