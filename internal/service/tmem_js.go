//go:build js && programs

package service

// A page asks its first engine about tensor memory, so the larger one need not have it.
func tmemOperation() Operation { return Operation{} }
