package kernel

// Effect is effect, for tests.
var Effect = effect
