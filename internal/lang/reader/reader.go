package reader

import (
	"fmt"
	"strings"
)

// This file is the interface: Read runs a search (search.go) over the tokens of a text, joins values that belong
// together (combine.go, gosource.go), and makes items of the values.

const (
	// MaxInput is the longest text that is read, in bytes.
	MaxInput = 16 << 20
	// MaxDepth is the deepest nesting of brackets in a value.
	MaxDepth = 200
	// MaxItems is the largest number of values that are returned.
	MaxItems = 1 << 20
)

// A Kind names what was found.
type Kind string

// The kinds of items.
const (
	KindLayout     Kind = "layout"          // (2,3):(3,1), also with ? and names
	KindComposed   Kind = "composed_layout" // Sw<3,3,3> o 0 o (8,64):(64,1)
	KindTuple      Kind = "tuple"           // (4,8)
	KindInt        Kind = "int"             // 128, ?{div=4}
	KindSwizzle    Kind = "swizzle"         // Sw<3,4,3>
	KindTile       Kind = "tile"            // <4,8:1>
	KindExpression Kind = "expression"      // complement(4:2,16), A o B
	KindTrace      Kind = "trace"           // an operation and its result: complement(4:2,16) => (2,2):(1,8)
	KindOffsets    Kind = "offsets"         // numbers that are not the offsets of any layout
	KindChain      Kind = "chain"           // index spaces that are derived from each other: (m/4,4) -> (4,m/4)
	KindRecord     Kind = "record"          // named parts: TiledMMA{...}, blocked{...}
	KindList       Kind = "list"            // several values as girih prints them: {(4,8):(8,1),10}
)

// A Result holds what was found in a text.
type Result struct {
	Items []Item // the values in the order of the text
	// Unread lists the values in unsupported notations, each once. Items contains no part of these values.
	Unread []Unread
	// Miss is set if there are no items, but some text began like an item.
	Miss *Miss
	Err  error // [ErrTooLong], or nil
}

// An Item is a value that was found.
type Item struct {
	Kind   Kind
	Text   string   // canonical text on one line, in girih's language if it can express the value
	Name   string   // the value's name in the text: A in "A = (4,8)", "TV Layout C"; may be empty
	Notes  []string // facts about the reading: what was dropped, supplied or assumed
	Fault  string   // why the value is invalid, such as different nesting of shape and stride; empty if it may be valid
	Static bool     // the layout contains only known numbers
	Record string   // the name of a record; otherwise ""
	Fields []Field  // the parts of a record, in the order of the text; the parameters of an operation too
	Start  int      // the bytes [Start, End) of the text were read
	End    int
}

// A Field is a named part of a record.
type Field struct {
	Name  string
	Value string // canonical text
	Kind  Kind   // the kind of the value; "" for text that was kept unchanged
}

// A Miss is the place where a text that began like a value stopped.
type Miss struct {
	Start, End int    // the bytes of the token that did not fit
	Expected   string // what was expected there
	Hint       string // a correction that may be intended; may be empty
}

// ErrTooLong says that a text is longer than [MaxInput] bytes.
var ErrTooLong = fmt.Errorf("the text is longer than %d bytes", MaxInput)

// Read finds the values in a text. It never fails: it skips text without values. For a text longer than [MaxInput] it
// returns no items and [ErrTooLong].
func Read(text string) Result { return ReadWithin(text, Limits{}) }

// Limits bound how much of a text is read. The zero Limits are those that [Read] uses.
type Limits struct {
	Items int          // the maximum number of values; 0 for [MaxItems]
	Stop  func() error // called every few thousand tokens; if it returns an error, reading ends
	// Hold is called with the size in bytes before memory is allocated, and with a negative size when memory is
	// released. All memory is released before ReadWithin returns. If Hold returns an error, reading ends.
	Hold func(bytes int64) error
}

// ReadWithin is [Read] within limits. If a text has more values than the limits allow, or its reading was stopped, the
// result is an error without items.
func ReadWithin(text string, most Limits) Result {
	if len(text) > MaxInput {
		return Result{Err: ErrTooLong}
	}
	q := quota{limits: most}
	r, err := q.read(text)
	if err != nil {
		return Result{Err: err}
	}
	return r
}

func (q *quota) read(text string) (r Result, err error) {
	defer q.end(&err)
	s := search{parser: newQuotaParser(text, q)}
	if err := s.run(); err != nil {
		return Result{}, err
	}
	s.pair()
	s.steps()
	s.references()
	s.foreign()
	r = Result{Items: s.items(), Unread: s.unread}
	noteSwizzles(text, r.Items)
	if len(r.Items) == 0 && len(r.Unread) == 0 {
		r.Miss = s.parser.nearest()
	}
	return r, nil
}

// newParser returns a parser of a short text, without limits.
func newParser(text string) *parser { return newQuotaParser(text, new(quota)) }

func newQuotaParser(text string, q *quota) *parser {
	toks := scan(text, q)
	return &parser{src: text, toks: toks, dead: make([]uint8, len(toks)), quota: q}
}

// items makes the items of the values that were found.
func (s *search) items() []Item {
	s.take(len(s.found) * itemBytes)
	items := make([]Item, 0, len(s.found))
	for i := range s.found {
		f := &s.found[i]
		n := f.node
		it := Item{Kind: f.kind, Name: f.name, Notes: f.notes, Start: int(n.start), End: int(n.end)}
		if it.Kind == "" {
			it.Kind = kindOf(n)
		}
		if it.Text, it.Static, it.Fault = judge(n, n.String()); f.static {
			it.Static = true
		}
		s.take(len(it.Text))
		if n.kind == nodeRecord {
			it.Record = n.text
			it.Fields = s.fields(n)
		}
		items = append(items, it)
	}
	return items
}

// fields returns the parts of a record.
func (s *search) fields(n *node) []Field {
	fields := make([]Field, 0, len(n.kids))
	add := func(k *node) {
		f := Field{Name: k.key, Value: k.String(), Kind: kindOf(k)}
		s.take(fieldBytes + len(f.Value))
		fields = append(fields, f)
	}
	for _, k := range n.kids {
		add(k)
		if k.kind != nodeSym {
			continue
		}
		for _, of := range k.kids { // the parameters of an operation, which the text does not contain
			add(of)
		}
	}
	return fields
}

func kindOf(n *node) Kind {
	switch n.kind {
	case nodeLayout:
		return KindLayout
	case nodeCompose:
		return kindOfChain(n.kids)
	case nodeTuple, nodeList, nodeDims, nodeBasis, nodeWild:
		return KindTuple
	case nodeInt, nodeDyn, nodeRatio:
		return KindInt
	case nodeSwizzle:
		return KindSwizzle
	case nodeTile:
		return KindTile
	case nodeTrace:
		return KindTrace
	case nodeRecord:
		return KindRecord
	case nodeSpan:
		return KindChain
	case nodeSet:
		return KindList
	case nodeCall, nodeApply, nodeOp:
		return KindExpression
	}
	return ""
}

// kindOfChain tells a composed layout, which has a swizzle or an offset, from a composition of two layouts.
func kindOfChain(kids []*node) Kind {
	k := KindExpression
	for _, x := range kids {
		switch x.kind {
		case nodeSwizzle, nodeInt, nodeTuple, nodePtr, nodeDyn:
			k = KindComposed
		case nodeLayout:
		default:
			return KindExpression
		}
	}
	return k
}

// nearest returns the place where the longest attempt ended, and a correction.
func (p *parser) nearest() *Miss {
	if p.miss.length < 2 {
		return nil
	}
	t := p.toks[p.miss.tok]
	m := &Miss{Start: int(t.start), End: int(t.end), Expected: p.miss.expected}
	begun := p.src[p.toks[p.miss.start].start:t.start]
	if !strings.ContainsAny(begun, "0123456789") || strings.ContainsAny(m.Expected, "0123456789") {
		return nil
	}
	if !strings.ContainsAny(begun, "(<[") {
		return nil
	}
	m.Hint = hint(p.src[p.toks[p.miss.start].start:], len(begun))
	return m
}

// maxHint is the longest piece of text that is corrected, in bytes.
const maxHint = 120

// hint returns a corrected value, with commas supplied between numbers or parentheses supplied at the end. It offers
// only a correction that reads as a layout.
func hint(text string, begun int) string {
	line, _, _ := strings.Cut(text[:min(len(text), maxHint)], "\n")
	commas := []byte(line)
	for i := 1; i+1 < len(commas); i++ {
		if commas[i] == ' ' && isDigit(commas[i-1]) && (isDigit(commas[i+1]) || commas[i+1] == '_') || commas[i] == ';' {
			commas[i] = ','
		}
	}
	head := strings.TrimRight(line[:min(begun, len(line))], " \t,")
	open := strings.Count(head, "(") - strings.Count(head, ")")
	for _, try := range []string{string(commas), head + strings.Repeat(")", max(open, 0))} {
		p := newParser(try)
		if n := p.chain(); n != nil && p.peek().kind == tokEOF && (n.kind == nodeLayout || n.kind == nodeCompose ||
			n.kind == nodeTuple && n.hasNumber() && len(n.kids) > 1) {
			return n.String()
		}
	}
	return ""
}
