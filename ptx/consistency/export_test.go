package consistency

// Without evaluates as if the relation of a row were empty, or its axiom never violated, until undo is called.
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
