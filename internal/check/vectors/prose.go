package vectors

import (
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/pattern"
	"girih/internal/why/judge"
)

// This file reads the operations, inputs and answers in the JSON files of cases, which are written for people. Its
// rules recognize what can be checked, and leave the rest alone.

// A question is a case as an expression of girih's language, with its operation and operands.
type question struct {
	op   string
	args []string
	expr string
}

const (
	functionName = pattern.Pattern(`[a-z][a-z_0-9]+`)
	widths       = pattern.Pattern(`recast(?:_layout)?\s*<?\s*([a-z0-9_]+?)b?\s*(?:,|->)\s*([a-z0-9_]+?)b?\s*>?$`)
	castBy       = pattern.Pattern(`^(upcast|downcast)\s*(?:<|by )\s*([0-9]+)>?$`)
)

// elementBits maps element types, which cases may name instead of a number of bits, to their widths.
var elementBits = map[string]string{
	"half": "16", "half_t": "16", "bf16": "16", "float": "32", "int32": "32", "uint32": "32", "double": "64",
	"int8": "8", "uint8": "8", "int4": "4", "uint128": "128", "uint128_t": "128",
}

// readOperation returns the function, with its template, that a description such as "composition (flattened)", "upcast
// by 4" or "recast half->uint32" names. It returns false if the description names no function of girih.
func readOperation(text string) (function string, ok bool) {
	text = strings.TrimSpace(text)
	if m := castBy.FindStringSubmatch(text); m != nil {
		return m[1] + "<" + m[2] + ">", true
	}
	if m := widths.FindStringSubmatch(text); m != nil {
		from, to := m[1], m[2]
		if bits, ok := elementBits[from]; ok {
			from = bits
		}
		if bits, ok := elementBits[to]; ok {
			to = bits
		}
		return "recast_layout<" + to + "," + from + ">", true
	}
	name := functionName.FindString(strings.TrimPrefix(text, "cute."))
	if _, known := eval.Lookup(name); known {
		return name, true
	}
	return "", false
}

// readQuestion combines an operation with its inputs: "A o B", "A in M", "A by tiler", "A x B", "L at coord", or
// operands separated by commas.
func readQuestion(operation, inputs string) (question, bool) {
	if strings.Contains(operation, ":") {
		return question{expr: operation}, true // it is already an expression
	}
	if strings.HasPrefix(operation, "layout eval") || strings.HasPrefix(operation, "layout()") || operation == "evaluate" {
		operation = "eval"
	}
	function, ok := readOperation(operation)
	if !ok {
		return question{}, false
	}
	op, _, _ := strings.Cut(function, "<")
	if op == "composition" && strings.Count(inputs, " o ") > 1 {
		return question{op: op, expr: inputs}, true // a chain of operations
	}
	args := readInputs(inputs)
	first := append([]string(nil), args...)
	if (op == "slice" || op == "dice") && len(args) == 2 {
		first[0], first[1] = args[1], args[0]
	}
	return question{op: op, args: args, expr: function + "(" + strings.Join(first, ", ") + ")"}, true
}

// readInputs returns the operands of an operation.
func readInputs(inputs string) []string {
	inputs, _, _ = strings.Cut(inputs, ", all dynamic")
	inputs, _, _ = strings.Cut(inputs, ", dynamic")
	inputs = strings.ReplaceAll(inputs, "dynamic ", "")
	for _, infix := range []string{" at ", " in ", " by ", " x ", " (x) ", " / ", " o "} {
		if a, b, found := strings.Cut(inputs, infix); found {
			if n := judge.SplitTop(b, ','); infix == " at " {
				b = n[0] // the rest after the coordinate is a remark
			}
			return []string{strings.TrimSpace(a), strings.TrimSpace(b)}
		}
	}
	return judge.SplitTop(inputs, ',')
}

// An expectation is the answer that a case states.
type expectation struct {
	refusal bool   // girih must refuse
	value   string // the value, or ""
	either  bool   // a refusal is also right
	size    string // the number of elements, or ""
}

const (
	refusals = pattern.Pattern(`(?i)^(reject|not representable|refuse|diagnostic|error|one-line diagnostic)`)
	sizeOf   = pattern.Pattern(`size ([0-9]+)`)
)

// readExpectation reads the answer of a case. It returns false for sentences.
func readExpectation(text string) (expectation, bool) {
	text = strings.TrimSpace(text)
	if refusals.MatchString(text) {
		return expectation{refusal: true}, true
	}
	value, rest, ok := readValue(text)
	if !ok {
		return expectation{}, false
	}
	e := expectation{value: value, either: strings.HasPrefix(rest, " or error")}
	if m := sizeOf.FindStringSubmatch(rest); m != nil {
		e.size = m[1]
	}
	return e, true
}

// readValue reads a layout, a tuple or an integer at the beginning of a text. After it, only one of " ;,:" may follow.
func readValue(text string) (value, rest string, ok bool) {
	_, rest, ok = judge.ReadTree(text)
	if !ok {
		return "", "", false
	}
	if stride, isLayout := strings.CutPrefix(rest, ":"); isLayout {
		if _, after, ok := judge.ReadTree(stride); ok {
			rest = after
		}
	}
	value = text[:len(text)-len(rest)]
	if rest != "" && !strings.ContainsRune(" ;,:", rune(rest[0])) {
		return "", "", false
	}
	return value, rest, true
}
