// There is no hardware.
#define mp_hal_set_interrupt_char(c) ((void)(c))
