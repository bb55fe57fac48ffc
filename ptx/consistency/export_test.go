package consistency

// Without makes the relation of a row empty, or ignores an axiom, until undo is called.
func Without(name string) (undo func()) {
	i := index(name)
	was := rules()[i]
	rules()[i].e = parse(`[Alias \ Alias]`)
	resolve(rules()[i].e, i)
	if was.Kind == Given {
		rules()[i].Kind = Derived
	}
	return func() { rules()[i] = was }
}
