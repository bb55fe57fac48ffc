package codegen

// This file traverses the parts of values.

// wideSwizzle refuses a swizzle of more than the low bits of an offset: B+M+|S| is above limit.
func wideSwizzle(d Dialect, n node, limit int) error {
	switch n := n.(type) {
	case swizzle:
		if top := n.b + n.m + max(n.s, -n.s); top > limit {
			return refuse(d, "a swizzle may use the %d low bits of an offset, %s uses %d", limit, girihText(n), top)
		}
	case composed:
		for _, s := range n.stages {
			if err := wideSwizzle(d, s.outer, limit); err != nil {
				return err
			}
		}
	case list:
		for _, m := range n {
			if err := wideSwizzle(d, m, limit); err != nil {
				return err
			}
		}
	}
	return nil
}

// lacks returns the first error of f over the leaves of the value, from left to right.
func lacks(n node, f func(leaf tree) error) error {
	var err error
	in := func(t tree) {
		all(t, func(leaf tree) bool {
			if err == nil {
				err = f(leaf)
			}
			return err == nil
		})
	}
	eachTree(n, in)
	return err
}

// eachTree calls f with each tree of the value, from left to right.
func eachTree(n node, f func(tree)) {
	switch n := n.(type) {
	case tuple:
		f(n.tree)
	case layout:
		f(n.shape)
		f(n.stride)
	case composed:
		for _, s := range n.stages {
			eachTree(s.outer, f)
			f(s.offset)
		}
		eachTree(n.inner, f)
	case tile:
		for _, m := range n {
			eachTree(m, f)
		}
	case list:
		for _, m := range n {
			eachTree(m, f)
		}
	}
}

// eachNumber calls f with each integer of the value, from left to right.
func eachNumber(n node, f func(number)) {
	eachTree(n, func(t tree) {
		all(t, func(leaf tree) bool {
			switch leaf := leaf.(type) {
			case number:
				f(leaf)
			case sum:
				for _, t := range leaf {
					f(t.scale)
				}
			}
			return true
		})
	})
}
