/* Rollmill for GDScript: a GDExtension for Godot 4.4 and later, with the class RollmillMill. Compiled, but not tested in an
 * engine. `godot --dump-gdextension-interface` writes the header that it needs; docs/engines.md has the commands. */
#include <stdlib.h>
#include <string.h>

#include "gdextension_interface.h"
#include "rollmill.h"

enum { OPEN, FIND, LABELS, KEY, FORK, WIDTH, MANY, DRAW, SAVE, LOAD, METHODS };
static const struct { const char *name; GDExtensionInt arguments; } METHOD[METHODS] = {
  { "open", 2 }, { "find", 1 }, { "labels", 1 }, { "key", 1 }, { "fork", 2 }, { "width", 1 }, { "many", 4 }, { "draw", 4 },
  { "save", 0 }, { "load", 1 },
};
enum { INT = GDEXTENSION_VARIANT_TYPE_INT, STRING = GDEXTENSION_VARIANT_TYPE_STRING, NAME = GDEXTENSION_VARIANT_TYPE_STRING_NAME,
       BYTES = GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, NUMBERS = GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY };
/* The hashes of the methods size and resize of all packed arrays, in extension_api.json. */
static const GDExtensionInt SIZE = 3173160232, RESIZE = 848867239;
typedef struct { uint64_t words[2]; } value; /* any of these types */

static GDExtensionInterfaceGetProcAddress get;
static GDExtensionClassLibraryPtr library;
static value class_name;
/* The function of the engine with this name. Its type is that of the header. */
#define ENGINE(Type, name) ((GDExtensionInterface##Type)(void (*)(void))get(name))

static value name_of(const char *text) {
  value name;
  ENGINE(StringNameNewWithLatin1Chars, "string_name_new_with_latin1_chars")(&name, text, 0);
  return name;
}

static void destroy(int type, value *one) { ENGINE(VariantGetPtrDestructor, "variant_get_ptr_destructor")(type)(one); }

static value from_variant(int type, GDExtensionConstVariantPtr variant) {
  value one = { { 0 } };
  ENGINE(GetVariantToTypeConstructor, "get_variant_to_type_constructor")(type)(&one, (GDExtensionVariantPtr)variant);
  return one;
}

static void to_variant(int type, value one, GDExtensionVariantPtr variant) {
  ENGINE(GetVariantFromTypeConstructor, "get_variant_from_type_constructor")(type)(variant, &one);
  if (type != INT) destroy(type, &one);
}

static int64_t method_of(int type, value *array, const char *name, GDExtensionInt hash, int64_t argument) {
  value method = name_of(name);
  int64_t result = 0;
  const GDExtensionConstTypePtr given[] = { &argument };
  ENGINE(VariantGetPtrBuiltinMethod, "variant_get_ptr_builtin_method")(type, &method, hash)(array, given, &result, 1);
  destroy(NAME, &method);
  return result;
}

/* Returns an array of so many elements, and their place. */
static value new_array(int type, int64_t size, void **place) {
  value array;
  ENGINE(VariantGetPtrConstructor, "variant_get_ptr_constructor")(type, 0)(&array, NULL);
  method_of(type, &array, "resize", RESIZE, size);
  *place = size == 0 ? NULL : type == BYTES
    ? (void *)ENGINE(PackedByteArrayOperatorIndex, "packed_byte_array_operator_index")(&array, 0)
    : (void *)ENGINE(PackedInt32ArrayOperatorIndex, "packed_int32_array_operator_index")(&array, 0);
  return array;
}

/* Returns the bytes of a text or of an array, which the caller frees. */
static char *bytes_of(int type, GDExtensionConstVariantPtr variant, size_t *size) {
  value one = from_variant(type, variant);
  GDExtensionInterfaceStringToUtf8Chars utf8 = ENGINE(StringToUtf8Chars, "string_to_utf8_chars");
  *size = (size_t)(type == STRING ? utf8(&one, NULL, 0) : method_of(type, &one, "size", SIZE, 0));
  char *bytes = malloc(*size + 1);
  if (bytes && type == STRING) utf8(&one, bytes, (GDExtensionInt)*size);
  if (bytes && type == BYTES && *size)
    memcpy(bytes, ENGINE(PackedByteArrayOperatorIndexConst, "packed_byte_array_operator_index_const")(&one, 0), *size);
  destroy(type, &one);
  return bytes;
}

static void say(rm_status status, const char *call) {
  ENGINE(PrintError, "print_error")(rm_error(status), call, "RollmillMill", 0, 0);
}

/* Returns the results of `many`, or the records of `draw`, as an array; null if the call is refused. */
static void results(rm_mill *mill, int which, const int64_t *given, GDExtensionVariantPtr result) {
  const uint32_t noun = (uint32_t)given[0];
  const uint64_t width = which == DRAW ? 1 : rm_width(mill, noun);
  const uint64_t count = (uint64_t)given[3];
  rm_status status = given[3] < 0 || (width && count > INT32_MAX / width) ? RM_RANGE : RM_OK;
  size_t made = (size_t)(count * width);
  void *place = NULL;
  value array = new_array(NUMBERS, status == RM_OK ? (int64_t)made : 0, &place);
  if (status == RM_OK && which == MANY) {
    status = rm_many(mill, noun, (rm_key)given[1], (uint64_t)given[2], (size_t)count, place, NULL);
  } else if (status == RM_OK) {
    status = rm_draw(mill, noun, (uint32_t)given[1], (rm_key)given[2], (size_t)count, place, &made);
    method_of(NUMBERS, &array, "resize", RESIZE, (int64_t)made);
  }
  if (status == RM_OK || status == RM_EMPTY) {
    to_variant(NUMBERS, array, result);
  } else {
    destroy(NUMBERS, &array);
    say(status, METHOD[which].name);
  }
}

/* Every method of the class. A vararg method gets all its arguments as variants. */
static void call(void *method, GDExtensionClassInstancePtr instance, const GDExtensionConstVariantPtr *given,
                 GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError *refused) {
  rm_mill **const mill = instance;
  const int which = (int)(intptr_t)method;
  int64_t numbers[4] = { 0 };
  size_t size = 0, seed_size = 0;
  refused->error = count < METHOD[which].arguments   ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS
                   : count > METHOD[which].arguments ? GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS
                                                     : GDEXTENSION_CALL_OK;
  refused->expected = (int32_t)METHOD[which].arguments;
  if (refused->error != GDEXTENSION_CALL_OK) return;
  if (!*mill && which != OPEN) {
    refused->error = GDEXTENSION_CALL_ERROR_INSTANCE_IS_NULL;
    return;
  }
  const int text = which == FIND || which == FORK ? STRING : which == OPEN || which == LOAD ? BYTES : 0;
  char *const bytes = text ? bytes_of(text, given[which == FORK], &size) : NULL;
  if (!text || which == FORK) {
    for (int i = 0; i < (which == FORK ? 1 : count); i++) numbers[i] = (int64_t)from_variant(INT, given[i]).words[0];
  }
  value out = { { 0 } };
  rm_status status = text && !bytes ? RM_MEMORY : RM_OK;
  uint32_t noun = 0;
  rm_key key = 0;
  const char *labels = NULL;
  void *place;
  switch (status == RM_OK ? which : METHODS) {
    case OPEN: {
      char *const seed = bytes_of(STRING, given[1], &seed_size);
      rm_close(*mill);
      status = seed ? rm_open(bytes, size, seed, seed_size, mill) : RM_MEMORY;
      if (status) *mill = NULL;
      free(seed);
      break;
    }
    case FIND:
      status = rm_find(*mill, bytes, size, &noun);
      out.words[0] = noun;
      break;
    case LABELS:
      status = rm_about(*mill, (uint32_t)numbers[0], NULL, NULL, NULL, &labels, &size);
      if (status) break;
      ENGINE(StringNewWithUtf8CharsAndLen, "string_new_with_utf8_chars_and_len")(&out, labels, (GDExtensionInt)size);
      to_variant(STRING, out, result);
      return;
    case KEY:
      out.words[0] = rm_noun_key(*mill, (uint32_t)numbers[0]);
      break;
    case FORK:
      status = rm_fork_text(*mill, (rm_key)numbers[0], bytes, size, &key);
      out.words[0] = key;
      break;
    case WIDTH:
      out.words[0] = rm_width(*mill, (uint32_t)numbers[0]);
      break;
    case MANY:
    case DRAW:
      results(*mill, which, numbers, result);
      return;
    case SAVE:
      out = new_array(BYTES, (int64_t)rm_state_bytes(*mill), &place);
      status = rm_state_save(*mill, place, rm_state_bytes(*mill));
      to_variant(BYTES, out, result);
      break;
    case LOAD:
      status = rm_state_load(*mill, bytes, size);
      break;
  }
  free(bytes);
  if (status) say(status, METHOD[which].name);
  if (which == OPEN || which == LOAD) out.words[0] = status == RM_OK;
  if (which == FIND && status) out.words[0] = (uint64_t)-1;
  if (which != SAVE && (which != LABELS || status)) to_variant(INT, out, result);
}

static GDExtensionObjectPtr create(void *data, GDExtensionBool notify) {
  value parent = name_of("RefCounted");
  (void)data, (void)notify;
  void *const object = ENGINE(ClassdbConstructObject2, "classdb_construct_object2")(&parent);
  destroy(NAME, &parent);
  ENGINE(ObjectSetInstance, "object_set_instance")(object, &class_name, calloc(1, sizeof(rm_mill *)));
  return object;
}

static void discard(void *data, GDExtensionClassInstancePtr instance) {
  (void)data;
  rm_close(*(rm_mill **)instance);
  free(instance);
}

static void initialize(void *data, GDExtensionInitializationLevel level) {
  (void)data;
  if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
  class_name = name_of("RollmillMill");
  value parent = name_of("RefCounted");
  const GDExtensionClassCreationInfo4 made = { .is_exposed = 1, .create_instance_func = create, .free_instance_func = discard };
  ENGINE(ClassdbRegisterExtensionClass4, "classdb_register_extension_class4")(library, &class_name, &parent, &made);
  destroy(NAME, &parent);
  for (intptr_t i = 0; i < METHODS; i++) {
    value name = name_of(METHOD[i].name);
    value hint;
    ENGINE(VariantGetPtrConstructor, "variant_get_ptr_constructor")(GDEXTENSION_VARIANT_TYPE_STRING, 0)(&hint, NULL);
    value none = name_of("");
    GDExtensionPropertyInfo any = { .type = GDEXTENSION_VARIANT_TYPE_NIL, .name = &none, .class_name = &none, .hint_string = &hint,
                                    .usage = 131078 /* PROPERTY_USAGE_DEFAULT and NIL_IS_VARIANT */ };
    const GDExtensionClassMethodInfo method = {
      .name = &name, .method_userdata = (void *)i, .call_func = call, .method_flags = GDEXTENSION_METHOD_FLAG_NORMAL |
      GDEXTENSION_METHOD_FLAG_VARARG, .has_return_value = 1, .return_value_info = &any,
    };
    ENGINE(ClassdbRegisterExtensionClassMethod, "classdb_register_extension_class_method")(library, &class_name, &method);
    destroy(NAME, &name), destroy(NAME, &none), destroy(STRING, &hint);
  }
}

static void deinitialize(void *data, GDExtensionInitializationLevel level) {
  (void)data;
  if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
  ENGINE(ClassdbUnregisterExtensionClass, "classdb_unregister_extension_class")(library, &class_name);
  destroy(NAME, &class_name);
}

/* The entry_symbol of the .gdextension file. */
GDExtensionBool rollmill_init(GDExtensionInterfaceGetProcAddress address, GDExtensionClassLibraryPtr own,
                              GDExtensionInitialization *all) {
  get = address, library = own;
  all->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
  all->userdata = NULL, all->initialize = initialize, all->deinitialize = deinitialize;
  return 1;
}
