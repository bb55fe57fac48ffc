package litmus

// copy adds the operations of an asynchronous copy. They belong to a separate agent: they are ordered among themselves,
// and after the operations that precede the copy in its thread.
//
//	cp.async.bulk x, y, m     reads y and writes x through the async proxy, is a fence of that proxy, and completes on m
//	cp.async x, y             reads y and writes x through the generic proxy
func (s *state) copy(i int, ins *Instruction) error {
	r := &s.run[i]
	r.agent = 1 + len(s.events) // a number that no other agent has
	batch := r.groups[ins.kind()] + 1
	first := len(s.events)
	for k := range ins.Parts {
		part := &ins.Parts[k]
		if err := s.access(i, part); err != nil {
			return err
		}
		if part.Op == Store {
			s.events[len(s.events)-1].val = s.events[first].val
		}
	}
	for k := first; k < len(s.events); k++ {
		s.events[k].batch = batch
	}
	r.agent = 0
	return nil
}

// kind returns 0 for cp.async.bulk and 1 for cp.async, also for their commits and waits.
func (ins *Instruction) kind() int {
	if ins.Bulk {
		return 0
	}
	return 1
}

// issues reports whether a is an operation of a thread and b belongs to a copy that the thread issued later.
func issues(a, b *event) bool {
	return a.thread >= 0 && a.thread == b.thread && a.agent == 0 && b.agent > 0
}

// waitsFor reports whether b waits for the copy to which a belongs.
func waitsFor(b, a *event) bool {
	return b.ins.Op == Wait && a.thread == b.thread && a.agent > 0 && a.ins.Bulk == b.ins.Bulk && a.batch <= b.batch &&
		(!b.ins.Reads || a.read)
}

// copies parses an asynchronous copy, a commit of copies, or a wait for copies:
//
//	cp.async.bulk x, y, m          x and y are locations, m is an mbarrier
//	cp.async.bulk x, y             belongs to a group:
//	cp.async.bulk.commit_group     ends the group of the copies so far
//	cp.async.bulk.wait_group N     waits for all groups but the last N; .read: only until their reads are done
//	cp.async x, y                  and cp.async.commit_group, .wait_group N, .wait_all
func (r *reader) copies(ins *Instruction, words []string) {
	ins.Op = Copy
	for _, w := range words {
		switch w {
		case "async", "global", "shared":
		case "bulk":
			ins.Bulk = true
		case "commit_group":
			ins.Op = Commit
		case "wait_group":
			ins.Op = Wait
		case "wait_all":
			ins.Op, ins.A.Value = Wait, -1
		case "read":
			ins.Reads = true
		default:
			r.fail("cp.async with .bulk, .commit_group, .wait_group or .wait_all instead of ." + w)
		}
	}
	switch ins.Op {
	case Wait:
		if ins.A.Value == 0 {
			ins.A.Value = r.integer()
		}
	case Copy:
		r.parts(ins)
	}
}

// parts makes the instructions that implement a copy.
func (r *reader) parts(ins *Instruction) {
	part := *ins
	part.Op, part.Sem = Store, "weak"
	if ins.Bulk {
		part.Proxy = "async"
	}
	part.Loc = r.address()
	r.expect(",")
	from := part
	from.Op, from.Loc = Load, r.address()
	ins.Parts = []Instruction{from, part}
	if !ins.Bulk {
		return
	}
	fence := part
	fence.Op, fence.Sem = Proxy, ""
	ins.Parts = append(ins.Parts, fence)
	if r.skip(",") {
		done := part
		done.Op, done.Sem, done.Scope, done.Proxy, done.Math = Reduce, "release", Cluster, "generic", "add"
		done.Loc, done.A = r.address(), Operand{Register: -1, Value: 1}
		ins.Parts = append(ins.Parts, done)
	}
}

// mbarrier parses an operation on an mbarrier. An mbarrier is modelled as a location that counts arrivals:
//
//	mbarrier.arrive m        red.release.cta.add m, 1
//	mbarrier.try_wait m, n   ld.acquire.cta m, repeated until there are n arrivals
func (r *reader) mbarrier(ins *Instruction, words []string) {
	ins.Scope = CTA
	f := form{Reduce, "generic", "relaxed release"}
	if len(words) > 0 && words[0] != "arrive" {
		f = form{Load, "generic", "relaxed acquire"}
	}
	if ins.Op, ins.Sem, ins.Math = f.op, "release", "add"; f.op == Load {
		ins.Sem, ins.Math = "acquire", ""
	}
	if len(words) == 0 || words[0] != "arrive" && words[0] != "try_wait" && words[0] != "test_wait" {
		r.fail("mbarrier.arrive or mbarrier.try_wait before the operands")
		return
	}
	r.modifiers(ins, f, words[1:])
	if ins.Loc = r.address(); f.op == Reduce {
		ins.A.Value = 1
		return
	}
	r.expect(",")
	if ins.Await = r.integer(); ins.Await < 1 {
		r.fail("at least one arrival to wait for, before")
	}
}
