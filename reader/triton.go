package reader

import "strings"

// attribute parses an attribute of MLIR: an encoding of Triton, #ttg.blocked<{...}>, or a reference to one, #mma.
func (p *parser) attribute() *node {
	start := p.peek().start
	p.pos++
	if p.peek().kind != tokIdent || p.peek().space {
		return nil
	}
	base, full := p.name()
	if !strings.Contains(full, ".") {
		return &node{kind: nodeSym, text: "#" + full, start: start, end: p.end()}
	}
	n := &node{kind: nodeRecord, text: strings.TrimSuffix(base, "_encoding"), start: start}
	if !p.is('<') {
		n.kind, n.text, n.end = nodeSym, "#"+full, p.end()
		return n
	}
	p.pos++
	end := byte('>')
	if p.is('[') { // #ttg.padded_shared<[512:+16] {...}>
		if v := p.raw(n, '{'); v != nil {
			n.add("intervals", v)
		}
	}
	if p.is('{') {
		p.pos++
		end = '}'
	}
	if !p.fields(n, end) {
		return nil
	}
	if end == '}' && p.is('>') {
		p.pos++
	} else if end == '}' {
		p.note("supplied the missing '>'")
	}
	n.end = p.end()
	return n
}

// fields parses name = value, ... up to the end.
func (p *parser) fields(n *node, end byte) bool {
	for !p.is(end) {
		if p.peek().kind == tokEOF && len(n.kids) > 0 {
			p.note("supplied the missing '%c'", end)
			return true
		}
		if p.peek().kind != tokIdent || p.at(1).c != '=' {
			p.expected("a field: name = value")
			return false
		}
		name := p.text(p.peek())
		p.pos += 2
		v := p.field(n, end)
		if v == nil {
			p.expected("the value of " + name)
			return false
		}
		n.add(name, v)
		if p.is(',') {
			p.pos++
		}
	}
	p.pos++
	return true
}

// field parses the value of a field: an attribute, or text that is kept without its spaces.
func (p *parser) field(n *node, end byte) *node {
	if p.is('#') {
		return p.once(p.attribute)
	}
	return p.raw(n, end)
}

// raw parses balanced text up to a comma or the end of the fields.
func (p *parser) raw(n *node, end byte) *node {
	var b strings.Builder
	level := 0
	start := p.peek().start
	for k := 0; ; k++ {
		t := p.peek()
		if level == 0 && (t.c == ',' || t.c == end) {
			break
		}
		if t.kind == tokEOF || k == maxRaw {
			return nil
		}
		switch t.c {
		case '[', '(', '{', '<':
			level++
		case ']', ')', '}', '>':
			level--
		}
		if level < 0 || level > maxRawDepth {
			return nil
		}
		if t.kind == tokIdent && t.space && b.Len() > 0 && p.toks[p.pos-1].kind == tokIdent {
			b.WriteByte(' ')
		}
		b.WriteString(p.text(t))
		p.pos++
	}
	if b.Len() == 0 {
		return nil
	}
	return &node{kind: nodeLeaf, text: b.String(), start: start, end: p.end()}
}

// maxRaw bounds the tokens of one field: the bases of a large linear layout have a few thousand.
const maxRaw = 1 << 14

// maxRawDepth bounds the brackets in a field that is kept as text.
const maxRawDepth = 8

// A gluonType says how a layout class of Gluon is written as an encoding of Triton.
type gluonType struct {
	name   string
	params []string // the fields, in the order of the parameters
}

// gluonTypes are the layout classes of Gluon and their parameters (triton/experimental/gluon/language/_layouts.py).
var gluonTypes = map[string]gluonType{
	"BlockedLayout":                   {"blocked", []string{"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order", "CTAsPerCGA", "CTASplitNum", "CTAOrder"}},
	"SliceLayout":                     {"slice", []string{"dim", "parent"}},
	"DotOperandLayout":                {"dot_op", []string{"opIdx", "parent", "kWidth"}},
	"NVMMADistributedLayout":          {"nvidia_mma", []string{"version", "warpsPerCTA", "instrShape", "CTAsPerCGA", "CTASplitNum", "CTAOrder"}},
	"NVMMASharedLayout":               {"nvmma_shared", []string{"swizzlingByteWidth", "elementBitWidth", "rank", "transposed", "fp4Padded"}},
	"SwizzledSharedLayout":            {"swizzled_shared", []string{"vec", "perPhase", "maxPhase", "order"}},
	"PaddedSharedLayout":              {"padded_shared", []string{"intervals", "order", "shape"}},
	"AMDMFMALayout":                   {"amd_mfma", []string{"version", "instrShape", "transposed", "warpsPerCTA"}},
	"AMDWMMALayout":                   {"amd_wmma", []string{"version", "transposed", "warpsPerCTA"}},
	"TensorMemoryLayout":              {"tensor_memory", []string{"block", "colStride"}},
	"CoalescedLayout":                 {"coalesced", nil},
	"AutoLayout":                      {"auto", nil},
	"BlockedEncoding":                 {"blocked", []string{"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"}},
	"BlockedEncodingAttr":             {"blocked", []string{"sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"}},
	"SwizzledSharedEncoding":          {"swizzled_shared", []string{"vec", "perPhase", "maxPhase", "order"}},
	"swizzled_shared_layout":          {"swizzled_shared", []string{"vec", "perPhase", "maxPhase", "order"}},
	"swizzled_shared_layout_encoding": {"swizzled_shared", []string{"vectorSize", "perPhase", "maxPhase", "order"}},
	"nv_mma_shared_layout_encoding":   {"nvmma_shared", []string{"shape", "order", "elemType", "numCTAsPerCGA", "numCTASplit", "numCTAOrder", "fp4Padded"}},
}

// gluonKeys are the keywords whose field is not simply their camel case.
var gluonKeys = map[string]string{
	"operand_index": "opIdx", "swizzle_byte_width": "swizzlingByteWidth", "element_bitwidth": "elementBitWidth", "warps_per_cta": "warpsPerCTA",
	"ctas_per_cga": "CTAsPerCGA", "cta_split_num": "CTASplitNum", "cta_order": "CTAOrder", "interval_padding_pairs": "intervals",
	"cga_layout": "CGALayout", "reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block", "offset_bases": "offset",
}

// gluon makes the record of a layout class of Gluon.
func (p *parser) gluon(t *term) *node {
	if !t.call {
		return nil
	}
	g := gluonTypes[t.base]
	n := &node{kind: nodeRecord, text: g.name}
	for i, a := range t.args {
		name := a.key
		switch {
		case name != "":
			name = fieldName(name)
		case i < len(g.params):
			name = g.params[i]
		default:
			p.note("passed over the argument %s", p.between(a, a))
			continue
		}
		if name == "version" && a.kind == nodeList && len(a.kids) == 2 && g.name == "nvidia_mma" {
			n.add("versionMajor", a.kids[0])
			n.add("versionMinor", a.kids[1])
			continue
		}
		if a.kind == nodeSym || a.kind == nodeOpaque {
			text := strings.Join(strings.Fields(a.text), " ")
			if text == "True" || text == "False" {
				text = strings.ToLower(text)
			}
			a = &node{kind: nodeLeaf, text: text}
		}
		n.add(name, a)
	}
	return n
}

// fieldName returns the name of a field of a keyword: kWidth of k_width.
func fieldName(key string) string {
	if name, ok := gluonKeys[key]; ok {
		return name
	}
	parts := strings.Split(key, "_")
	for i, s := range parts[1:] {
		if s != "" {
			parts[i+1] = strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return strings.Join(parts, "")
}
