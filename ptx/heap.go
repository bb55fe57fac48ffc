package ptx

// heap allocates the nodes of a tree in chunks: a module contains thousands of nodes with the same lifetime.
type heap struct {
	instrs   []Instr
	labels   []Label
	operands []Operand
	stack    []Operand // the operands of open lists
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

// mark returns the position on the stack where a new list begins.
func (h *heap) mark() int { return len(h.stack) }

func (h *heap) push(x Operand) { h.stack = append(h.stack, x) }

// pop removes the operands pushed since mark from the stack, and returns them in a new slice.
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

// intern returns n as an operand. Most names recur soon; a repeated name needs no new memory.
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
