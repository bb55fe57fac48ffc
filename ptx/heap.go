package ptx

// heap gives out the nodes of a tree from chunks: a module has thousands of them, which live and die together.
type heap struct {
	instrs   []Instr
	labels   []Label
	operands []Operand
	stack    []Operand // the operands of lists that are not closed yet
	names    [512]Operand
}

const chunk = 64

func (h *heap) newInstr() *Instr {
	if len(h.instrs) == 0 {
		h.instrs = make([]Instr, chunk)
	}
	in := &h.instrs[0]
	h.instrs = h.instrs[1:]
	return in
}

func (h *heap) newLabel() *Label {
	if len(h.labels) == 0 {
		h.labels = make([]Label, chunk)
	}
	l := &h.labels[0]
	h.labels = h.labels[1:]
	return l
}

// mark returns where on the stack a new list begins.
func (h *heap) mark() int { return len(h.stack) }

func (h *heap) push(x Operand) { h.stack = append(h.stack, x) }

// pop takes what was pushed since mark from the stack and returns it in a slice of its own.
func (h *heap) pop(mark int) []Operand {
	n := len(h.stack) - mark
	if n > len(h.operands) {
		h.operands = make([]Operand, max(n, 4*chunk))
	}
	list := h.operands[:n:n]
	h.operands = h.operands[n:]
	copy(list, h.stack[mark:])
	h.stack = h.stack[:mark]
	if n == 0 {
		return nil
	}
	return list
}

// intern returns n as an operand. Most names come again soon, and need no memory then.
func (h *heap) intern(n Name) Operand {
	if n == "" {
		return n
	}
	key := uint32(len(n)) * 31
	for i := max(0, len(n)-4); i < len(n); i++ {
		key = key*31 + uint32(n[i])
	}
	slot := &h.names[key%uint32(len(h.names))]
	if known, ok := (*slot).(Name); ok && known == n {
		return *slot
	}
	*slot = n
	return *slot
}
